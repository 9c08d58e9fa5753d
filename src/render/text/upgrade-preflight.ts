import { type FindingStatus, findingStatuses } from '../../preflight/finding.js';
import type { Palette } from '../palette.js';
import type { PreflightDocument } from '../preflight/document.js';
import { printable } from '../printable.js';
import { describeAge } from '../words/age.js';
import { pasteInWords } from '../words/checks/check-words.js';
import { findingStatusWords, type ToldFinding, tellFinding } from '../words/checks.js';
import { decisionWords, describeCounts } from '../words/decisions.js';
import { whyAndNext } from '../words/next.js';
import { wrapWords } from '../wrap.js';

export interface UpgradePreflightTextOptions {
  readonly palette: Palette;
  /** Columns of the terminal; undefined where the output is none. */
  readonly width: number | undefined;
}

const paints: Record<FindingStatus, keyof Palette> = {
  stop: 'bad',
  'not-checked': 'warn',
  warn: 'warn',
  ok: 'dim',
};

/** The answer for a person: what stops first, then what was not looked at; all that is in order at the end. */
export function renderUpgradePreflightText(
  { result, decision, facts, hops, fromSource }: PreflightDocument,
  { palette, width }: UpgradePreflightTextOptions,
): string {
  const { from, to, findings, notAsked, counts } = result;
  const paint = decision === 'stop' || decision === 'not-known' ? palette.bad : palette.good;
  const told = [...findings].sort(
    (a, b) => findingStatuses.indexOf(a.status) - findingStatuses.indexOf(b.status),
  );
  const { label, next } = decisionWords[decision];
  const gravest = told.filter(({ status }) => status === 'stop' || status === 'not-checked');
  return `${[
    `Upgrade preflight: ${from} -> ${to}`,
    ...(fromSource === '--from' ? [] : [`Current version: ${from} (${printable(fromSource)})`]),
    wrapWords(
      `Facts: ${printable(facts.source)}, collected ${facts.collectedAt} (${describeAge(facts.ageMs)})`,
      width,
    ),
    `Answer: ${palette.bold(paint(label))}${notAsked.length === 0 ? '' : ', of what was asked'}`,
    wrapWords(describeCounts(counts), width),
    ...(hops > 1 ? [wrapWords(`Route: ${hops} hops. ${manyHops}`, width)] : []),
    ...(notAsked.length === 0 ? [] : [wrapWords(`Not asked: ${notAsked.join(', ')}`, width)]),
    '',
    ...together(told).flatMap(({ checks, status, description, remedy }) => {
      const mark = palette[paints[status]](findingStatusWords[status].label.padEnd(11));
      const head = wrapWords(`${checks.join(', ')}: ${description}`, width && width - 12);
      return [
        `${mark} ${indent(head)}`,
        ...(remedy === null
          ? []
          : [
              indented(wrapWords(`To do: ${remedy.text}`, width && width - 12)),
              ...(remedy.pasteIn === null ? [] : [indented(pasteInWords[remedy.pasteIn])]),
              // To be pasted as it is: never wrapped.
              ...remedy.commands.map((command) => indented(`    ${printable(command)}`)),
            ]),
      ];
    }),
    '',
    ...whyAndNext([...new Set(gravest.map(({ evidence }) => evidence.kind))].slice(0, 6), next),
  ].join('\n')}\n`;
}

interface ToldTogether extends ToldFinding {
  readonly checks: string[];
  readonly status: FindingStatus;
}

/** What several checks say alike is said once, of all of them. */
function together(findings: PreflightDocument['result']['findings']): readonly ToldTogether[] {
  const told = new Map<string, ToldTogether>();
  for (const finding of findings) {
    const { check, status } = finding;
    const one = tellFinding(finding);
    const key = JSON.stringify([status, one]);
    const before = told.get(key);
    if (before === undefined) told.set(key, { checks: [check], status, ...one });
    else if (!before.checks.includes(check)) before.checks.push(check);
  }
  return [...told.values()];
}

const manyHops =
  'This is about all of them together; ask for each again right before it, for its own start check.';

const margin = ' '.repeat(12);

function indent(text: string): string {
  return text.replaceAll('\n', `\n${margin}`);
}

function indented(text: string): string {
  return `${margin}${indent(text)}`;
}
