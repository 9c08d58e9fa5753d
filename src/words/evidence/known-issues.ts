import type { IssueEffect } from '../../core/results.js';
import { compact } from '../../core/text/compact.js';
import { isOnWord } from '../../known-issues/record-forms.js';
import type { Condition, KnownIssue } from '../../known-issues/records.js';
import { describeBy, type Words } from '../word.js';

export const effectWords: Words<IssueEffect> = {
  'avoid-landing': {
    meaning: 'Do not stop at this release if the route can stop at another one.',
    describe: () => 'upgrade to another release instead',
  },
  'required-stops': {
    meaning: 'Releases are installed on the way, each on its own and in order.',
    describe: ({ stops }) => `install ${stops.join(', ')} on the way, each on its own and in this order`,
  },
  recreate: {
    meaning: 'Old pods are stopped before new ones start.',
    describe: () => 'Recreate, not RollingUpdate',
  },
  'action-first': {
    meaning: 'Apply the remedy before the upgrade.',
    describe: () => 'do what the remedy says before the upgrade',
  },
  long: {
    meaning: 'The downtime is far longer than that of other releases.',
    describe: ({ seen }) => `a long downtime; seen: ${seen}`,
  },
};

export function describeEffect(effect: IssueEffect): string {
  return describeBy(effectWords, effect);
}

export const whenWords: Readonly<Record<KnownIssue['when'], string>> = {
  landing: 'one of them is installed and started',
  crossing: 'a span passes one of them, or ends at it',
  overlap:
    'old and new pods run next to each other, and the upgrade starts at, passes or ends at one of them',
};

/** For example `edition is community`. */
export function describeCondition(condition: Condition): string {
  if (isOnWord(condition)) return `${condition.fact} is ${condition.is}`;
  const { fact, atLeast, below } = condition;
  const bounds = compact(
    atLeast !== undefined && `at least ${atLeast}`,
    below !== undefined && `below ${below}`,
  );
  return `${fact} is ${bounds.join(' and ')}`;
}

/** For example `from 2.126.0 on, before 2.128.0`. */
export function describeAffected(affected: KnownIssue['affected']): string {
  return affected
    .map(({ introduced, fixed }) => `from ${introduced} on${fixed === undefined ? '' : `, before ${fixed}`}`)
    .join('; ');
}

export const certaintyWords: Readonly<Record<KnownIssue['evidence']['certainty'], string>> = {
  confirmed: 'confirmed by the publisher',
  reported: 'reported by those affected',
};
