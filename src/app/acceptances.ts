import { type Acceptance, isLapsed } from '../core/accepted.js';
import { LightspanError } from '../core/lightspan-error.js';
import { parseVersion } from '../core/version.js';
import type { Accepting } from '../question/evidence.js';
import type { AcceptedRisk } from '../words/evidence/accepted.js';

/** What is accepted, by whether it counts today. */
export interface Acceptances {
  readonly inForce: readonly Acceptance[];
  readonly lapsed: readonly Acceptance[];
}

/**
 * What is accepted today.
 *
 * @param publisherOnly where no known issue counts, none is accepted
 * @throws {LightspanError} `usage` for a name that cannot be accepted
 */
export async function acceptancesOf(
  accepting: Accepting,
  publisherOnly: boolean,
  now: Date,
): Promise<Acceptances> {
  const named = await Promise.all(accepting.names.map(readName));
  const all = onceByRisk([...named, ...accepting.bySettings]);
  const inForce = all.filter((acceptance) => !isLapsed(acceptance, now));
  return {
    inForce: inForce.filter(({ kind }) => kind !== 'issue' || !publisherOnly),
    lapsed: all.filter((acceptance) => isLapsed(acceptance, now)),
  };
}

/** Of a risk that is accepted more than once, the acceptance that lasts longest, the first of several. */
function onceByRisk(acceptances: readonly Acceptance[]): readonly Acceptance[] {
  const longest = new Map<string, Acceptance>();
  for (const acceptance of acceptances) {
    const risk = `${acceptance.kind} ${acceptance.name}`;
    const earlier = longest.get(risk);
    if (earlier === undefined || lastDay(acceptance) > lastDay(earlier)) longest.set(risk, acceptance);
  }
  return [...longest.values()];
}

/** Of one without an end, after every other. */
function lastDay({ until }: Acceptance): string {
  return until ?? '9999-99-99';
}

/** The acceptances in the order in which an answer lists them: first those that it found something for. */
export function listAcceptances(
  { inForce, lapsed }: Acceptances,
  found: readonly Acceptance[],
): readonly AcceptedRisk[] {
  const listed = (state: AcceptedRisk['state'], some: readonly Acceptance[]) =>
    some.map(({ kind, name, ...rest }) => ({ name, state, ...rest }));
  return [
    ...listed(
      'counts',
      inForce.filter((acceptance) => found.includes(acceptance)),
    ),
    ...listed(
      'fits-nothing',
      inForce.filter((acceptance) => !found.includes(acceptance)),
    ),
    ...listed('lapsed', lapsed),
  ];
}

/**
 * The risk that a name stands for: a release, a finding by its kind or by its check with the subject after a slash,
 * else a known issue.
 */
async function readName(name: string): Promise<Acceptance> {
  const onCommandLine = { reason: null, by: null, until: null };
  if (/^v?\d+\.\d+\.\d+$/i.test(name)) {
    return { kind: 'release', name: parseVersion(name), ...onCommandLine };
  }
  const { isAcceptableFinding, whyNotAcceptable } = await import('../checks/acceptable.js');
  const why = whyNotAcceptable(name);
  if (why !== undefined) {
    throw new LightspanError('usage', `--accept ${name}: ${why}`, {
      hint: 'A known issue is accepted by its id; required stops and minimum versions are not.',
    });
  }
  return { kind: isAcceptableFinding(name) ? 'check' : 'issue', name, ...onCommandLine };
}
