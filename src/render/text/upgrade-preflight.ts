import type { Palette } from '../palette.js';
import { gravestKinds } from '../preflight/described-findings.js';
import type { PreflightDocument } from '../preflight/document.js';
import { printable } from '../printable.js';
import { describeAge } from '../words/age.js';
import { describeFinding, findingStatusWords } from '../words/checks.js';
import { decisionWords, describeCounts, describeWay } from '../words/decisions.js';
import { judgedByLine } from '../words/judged-by.js';
import { whyAndNext } from '../words/next.js';
import { wrapWords } from '../wrap.js';
import { findingLines } from './findings.js';

export interface UpgradePreflightTextOptions {
  readonly palette: Palette;
  /** Columns of the terminal; undefined if the output is not a terminal. */
  readonly width: number | undefined;
}

/** The answer for a person: first what stops, then what was not checked; what is in order comes last. */
export function renderUpgradePreflightText(
  { result, decision, facts, hops, fromSource, judgedBy }: PreflightDocument,
  { palette, width }: UpgradePreflightTextOptions,
): string {
  const { from, to, findings, notAsked, counts } = result;
  const way = describeWay(hops, result);
  const paint = decision === 'stop' || decision === 'not-known' ? palette.bad : palette.good;
  const { label, next } = decisionWords[decision];
  return `${[
    `Upgrade preflight: ${from} -> ${to}`,
    ...(fromSource === '--from' ? [] : [`Current version: ${from} (${printable(fromSource)})`]),
    wrapWords(
      `Facts: ${printable(facts.source)}, collected ${facts.collectedAt} (${describeAge(facts.ageMs)})`,
      width,
    ),
    `Answer: ${palette.bold(paint(label))}${notAsked.length === 0 ? '' : ', for the requested checks only'}`,
    wrapWords(describeCounts(counts), width),
    wrapWords(judgedByLine(judgedBy), width),
    ...(way === undefined ? [] : [wrapWords(way, width)]),
    ...(notAsked.length === 0 ? [] : [wrapWords(`Not requested: ${notAsked.join(', ')}`, width)]),
    '',
    ...findingLines(findings, { palette, width, labels: findingStatusWords, describe: describeFinding }),
    '',
    ...whyAndNext(gravestKinds(findings), next),
  ].join('\n')}\n`;
}
