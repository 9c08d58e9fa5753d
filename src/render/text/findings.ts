import type { Finding, FindingStatus } from '../../preflight/finding.js';
import type { Palette } from '../palette.js';
import { describeTogether } from '../preflight/described-findings.js';
import { pasteInWords } from '../words/checks/check-words.js';
import type { DescribedFinding } from '../words/checks.js';
import { wrapWords } from '../wrap.js';

export interface FindingLinesOptions<Evidence> {
  readonly palette: Palette;
  /** Columns of the terminal; undefined if the output is not a terminal. */
  readonly width: number | undefined;
  readonly labels: Readonly<Record<FindingStatus, { readonly label: string }>>;
  readonly describe: (finding: Finding<string, Evidence>) => DescribedFinding;
}

const paints: Record<FindingStatus, keyof Palette> = {
  stop: 'bad',
  'not-checked': 'warn',
  warn: 'warn',
  ok: 'dim',
};

/** The findings of checks, the gravest first, each with what to do about it. */
export function findingLines<Evidence>(
  findings: readonly Finding<string, Evidence>[],
  { palette, width, labels, describe }: FindingLinesOptions<Evidence>,
): string[] {
  return describeTogether(findings, describe).flatMap(({ checks, status, description, remedy }) => {
    const mark = palette[paints[status]](labels[status].label.padEnd(11));
    const head = wrapWords(`${checks.join(', ')}: ${description}`, width && width - 12);
    return [
      `${mark} ${indent(head)}`,
      ...(remedy === null
        ? []
        : [
            indented(wrapWords(`To do: ${remedy.text}`, width && width - 12)),
            ...(remedy.pasteIn === null ? [] : [indented(pasteInWords[remedy.pasteIn])]),
            // To be pasted unchanged: never wrapped.
            ...remedy.commands.map((command) => indented(`    ${command}`)),
          ]),
    ];
  });
}

const margin = ' '.repeat(12);

function indent(text: string): string {
  return text.replaceAll('\n', `\n${margin}`);
}

function indented(text: string): string {
  return `${margin}${indent(text)}`;
}
