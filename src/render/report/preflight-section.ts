import type { FindingStatus } from '../../preflight/finding.js';
import { countOf } from '../phrase.js';
import { type DescribedGroup, describeTogether } from '../preflight/described-findings.js';
import type { PreflightOfReport } from '../preflight/document.js';
import { printable } from '../printable.js';
import { describeAge } from '../words/age.js';
import { pasteInWords } from '../words/checks/check-words.js';
import { describeFinding, findingStatusWords } from '../words/checks.js';
import { decisionWords, describeCounts, manyHops } from '../words/decisions.js';
import type { Column, Mark, Section, TableBlock } from './section.js';

/** The findings of a preflight, in the words of `upgrade-preflight`. */
export function preflightSection(
  { result, decision, facts }: PreflightOfReport,
  hops: number,
): Pick<Section, 'blocks' | 'notes'> {
  const { findings, counts, notAsked } = result;
  const groups = describeTogether(findings, describeFinding);
  const open = groups.filter(({ status }) => status !== 'ok');
  const well = groups.filter(({ status }) => status === 'ok');
  return {
    blocks: [
      {
        kind: 'table',
        lead: `${decisionWords[decision].label}${notAsked.length === 0 ? '' : ', for the requested checks only'}. ${describeCounts(counts)}`,
        columns: [...foundColumns, { title: 'What to do', around: ['. To do: '] }],
        rows: open.map((one) => [...foundCells(one), one.remedy?.text ?? '']),
        whole: true,
      },
      ...open.flatMap(toPaste),
      ...(well.length === 0
        ? []
        : [
            {
              kind: 'table' as const,
              lead: countOf(counts.ok, 'check that found nothing', 'checks that found nothing'),
              columns: foundColumns,
              rows: well.map(foundCells),
              folded: true,
            },
          ]),
    ],
    notes: [
      `Facts: ${printable(facts.source)}, collected ${facts.collectedAt} (${describeAge(facts.ageMs)}).`,
      ...(counts['not-checked'] === 0
        ? []
        : [
            'Give upgrade-preflight what the checks that were not done need; --facts-out writes the facts again.',
          ]),
      ...(hops > 1 ? [`The route has ${hops} hops. ${manyHops}`] : []),
      ...(notAsked.length === 0 ? [] : [`Not requested: ${notAsked.join(', ')}.`]),
    ],
  };
}

const foundColumns: readonly Column[] = [
  { title: 'Status' },
  { title: 'Check', around: [' '] },
  { title: 'What was found', around: [': '] },
];

const marks: Record<FindingStatus, Mark> = {
  stop: 'bad',
  'not-checked': 'warn',
  warn: 'warn',
  ok: 'good',
};

function foundCells({ checks, status, description }: DescribedGroup) {
  return [
    { text: findingStatusWords[status].label, mark: marks[status] },
    checks.join(', '),
    description,
  ] as const;
}

/** Commands are shown separately, one line each, ready to be pasted. */
function toPaste({ checks, remedy }: DescribedGroup): TableBlock[] {
  if (remedy === null || remedy.pasteIn === null || remedy.commands.length === 0) return [];
  return [
    {
      kind: 'table',
      lead: `${pasteInWords[remedy.pasteIn].replace(/:$/, '')} (${checks.join(', ')})`,
      columns: [{ title: '' }],
      rows: remedy.commands.map((command) => [{ text: command, mark: 'code' as const }]),
      whole: true,
    },
  ];
}
