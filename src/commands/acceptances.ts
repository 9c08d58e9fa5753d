import { LightspanError } from '../errors.js';
import { type Acceptance, isLapsed, nameOfRisk } from '../release-safety/accepted.js';
import { parseVersion } from '../release-safety/version.js';
import { type AcceptedRisk, acceptedRisk } from '../render/words/accepted.js';

/** What the command line and settings accept. */
export interface AcceptOptions {
  readonly accept?: readonly string[];
  /** Known issues: an older name of `accept`. */
  readonly acceptIssue?: readonly string[];
  /** Those of settings, by the base of a change if there is one. */
  readonly settingsAccept?: SettingsAcceptances | undefined;
}

export interface SettingsAcceptances {
  readonly accept: readonly Acceptance[];
  /** Those that only the change itself has. */
  readonly notMerged: readonly Acceptance[];
}

/** What is accepted, by whether it counts today. */
export interface Acceptances {
  readonly inForce: readonly Acceptance[];
  readonly others: readonly AcceptedRisk[];
}

/**
 * What is accepted today.
 *
 * @throws {LightspanError} `usage` for a name that cannot be accepted
 */
export async function acceptancesOf(
  { accept = [], acceptIssue = [], settingsAccept }: AcceptOptions,
  now: Date,
): Promise<Acceptances> {
  const given = [...(await Promise.all(accept.map(readName))), ...acceptIssue.map((issue) => ({ issue }))];
  const names = new Set(given.map(nameOfRisk));
  const { accept: written = [], notMerged = [] } = settingsAccept ?? {};
  const others = written.filter((one) => !names.has(nameOfRisk(one)));
  return {
    inForce: [...given, ...others.filter((one) => !isLapsed(one, now))],
    others: [
      ...others.filter((one) => isLapsed(one, now)).map((one) => acceptedRisk(one, 'lapsed')),
      ...notMerged.map((one) => acceptedRisk(one, 'not-merged')),
    ],
  };
}

/** The acceptances as an answer lists them, those that it found first. */
export function listAcceptances(
  { inForce, others }: Acceptances,
  found: readonly Acceptance[],
): readonly AcceptedRisk[] {
  const listed = inForce.map((one) => acceptedRisk(one, found.includes(one) ? 'counts' : 'fits-nothing'));
  return [...listed.toSorted((a, b) => a.state.localeCompare(b.state)), ...others];
}

/** The risk that a name stands for: a release, a check with its subject after a slash, else a known issue. */
async function readName(name: string): Promise<Acceptance> {
  if (/^v?\d+\.\d+\.\d+$/i.test(name)) return { release: parseVersion(name) };
  const { checks } = await import('../checks/checks.js');
  const { neverAccepted } = await import('../checks/accepting.js');
  const [, check = '', subject] = /^([^/]*)(?:\/(.+))?$/s.exec(name) ?? [];
  if (!checks.some(({ id }) => id === check)) return { issue: name };
  if (Object.hasOwn(neverAccepted, check)) {
    throw new LightspanError('usage', `--accept ${check}: ${neverAccepted[check]}`);
  }
  return subject === undefined ? { check } : { check, subject };
}
