import type { Check, CheckWords, FindingTraits } from './check.js';
import { checks } from './checks.js';
import { traitsOf } from './run-checks.js';

/** What of all that checks find an operator may accept, and by which name. */

type Why = NonNullable<FindingTraits['neverAccepted']>;

const whyNever: Record<Why, string> = {
  'another-instance': 'it says that the question is not about this instance: ask about the release that runs',
  'has-its-own-name': 'a known issue is accepted by its id',
  'target-refuses': 'the target itself does not start on this database',
};

const kinds = checks.flatMap((check) =>
  Object.keys(check.finds)
    .filter((kind) => mayBeFound(check, kind))
    .map((kind) => ({ check, kind, why: traitsOf(check, kind).neverAccepted })),
);

/** What is in order needs no remedy. */
function mayBeFound({ finds }: CheckWords, kind: string): boolean {
  const word = finds[kind];
  return word !== undefined && (word.remedy !== undefined || 'advise' in word);
}

const isAcceptable = ({ traits }: Pick<Check, 'traits'>) => traits?.neverAccepted === undefined;

/** The checks of which a finding may be accepted, with its subject. */
export const acceptableChecks: readonly string[] = checks.filter(isAcceptable).map(({ id }) => id);

/** The kinds of findings that may be accepted, where they have no subject. */
export const acceptableKinds: readonly string[] = kinds.flatMap(({ kind, why }) =>
  why === undefined ? [kind] : [],
);

/**
 * Why a name is no name of a finding that may be accepted; undefined if it is one, or is not that of a finding at all.
 *
 * @param name a kind, or a check with its subject after a slash
 */
export function whyNotAcceptable(name: string): string | undefined {
  const [id = '', ...subject] = name.split('/');
  const never = kinds.find(({ kind, why }) => kind === name && why !== undefined)?.why;
  if (never !== undefined) return `it cannot be accepted: ${whyNever[never]}`;
  const check = checks.find((candidate) => candidate.id === id);
  if (check === undefined || acceptableKinds.includes(name)) return undefined;
  const neverAccepted = check.traits?.neverAccepted;
  if (neverAccepted !== undefined)
    return `what this check finds cannot be accepted: ${whyNever[neverAccepted]}`;
  if (subject.join('/') !== '') return undefined;
  const acceptableOfCheck = kinds
    .filter((named) => named.check === check && named.why === undefined)
    .map(({ kind }) => kind);
  return (
    `a check alone would accept whatever it finds: accept one kind of its findings (${acceptableOfCheck.join(', ')}), or ` +
    `${id}/<subject>`
  );
}

/** Whether a name is that of a finding which may be accepted. */
export function isAcceptableFinding(name: string): boolean {
  const [id = '', subject = ''] = name.split(/\/(.*)/s);
  return acceptableKinds.includes(name) || (acceptableChecks.includes(id) && subject !== '');
}
