import type { Check } from '../../src/checks/check.js';
import type { CheckId, checks } from '../../src/checks/checks.js';
import { type Need, needs } from '../../src/instance/facts/needs.js';
import { code, table } from './markdown.js';

export function checkPageName({ id }: Pick<Check<CheckId>, 'id'>): string {
  return `checks/${id}.md`;
}

/** The page of a check: what the program runs on, and the words that it answers with. */
export function checkPage(check: (typeof checks)[number]): string {
  const { label, meaning, finds } = check;
  return [
    `# ${code(check.id)}: ${label}`,
    meaning,
    table(['needs', 'seen by'], needsOf(check).map(describeNeed)),
    check.canStop
      ? 'It can stop an upgrade: if any of this was not checked, the answer is NOT KNOWN.'
      : 'It warns, and never stops an upgrade by itself.',
    '## What it finds',
    table(
      ['finding', 'meaning', 'to do'],
      Object.entries(finds).map(([kind, { meaning, remedy = '' }]) => [code(kind), meaning, remedy]),
    ),
    `\`--only ${check.id}\` limits [upgrade-preflight](../commands/upgrade-preflight.md) to this check.`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
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
  const { label, right, otherwise } = needs[need];
  if (otherwise !== undefined) return [label, otherwise];
  return [label, right === undefined ? 'every role' : `a role with ${right}`];
}
