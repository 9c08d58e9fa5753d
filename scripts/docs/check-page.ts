import type { Check, Need } from '../../src/preflight/check.js';
import type { CheckId } from '../../src/preflight/checks.js';
import { checkWords, findingWords } from '../../src/render/words/checks.js';
import { needWords } from '../../src/render/words/needs.js';
import type { Word } from '../../src/render/words/word.js';
import { code, table } from './markdown.js';

export function checkPageName({ id }: Pick<Check<CheckId>, 'id'>): string {
  return `checks/${id}.md`;
}

/** The page of a check: what the program runs on, and the words that it answers with. */
export function checkPage(check: Check<CheckId>): string {
  const { label, meaning, looksAt, finds } = checkWords[check.id];
  const findings = Object.keys(finds).map((kind) => [kind, wordOf(kind)] as const);
  return [
    `# ${code(check.id)}: ${label}`,
    meaning,
    '## What it checks',
    looksAt,
    table(['needs', 'seen by'], needsOf(check).map(describeNeed)),
    check.canStop
      ? 'It can stop an upgrade: if any of this was not checked, there is no go.'
      : 'It warns, and never stops an upgrade by itself.',
    '## What it finds',
    table(
      ['finding', 'meaning', 'to do'],
      findings.map(([kind, { meaning, remedy = '' }]) => [code(kind), meaning, remedy]),
    ),
    `\`--only ${check.id}\` limits [upgrade-preflight](../commands/upgrade-preflight.md) to this check.`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function wordOf(kind: string): Word {
  const found = Object.entries(findingWords).find(([name]) => name === kind);
  if (found === undefined) throw new Error(`${kind} has no words`);
  return found[1];
}

function needsOf({ needs, needsOrAbsent = [], mayNeed = [], needsArtifacts }: Check): Need[] {
  return [
    ...new Set<Need>([
      ...needs,
      ...needsOrAbsent,
      ...(needsArtifacts ? (['artifacts'] as const) : []),
      ...mayNeed,
    ]),
  ];
}

function describeNeed(need: Need): [string, string] {
  const { label, right, otherwise } = needWords[need];
  if (otherwise !== undefined) return [label, otherwise];
  return [label, right === undefined ? 'every role' : `a role with ${right}`];
}
