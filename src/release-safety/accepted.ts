import type { Version } from './version.js';

/** What can be accepted, by name: a known issue, a finding of a check, or the verdict of a release. */
export type Risk =
  | { readonly issue: string }
  /** Without a subject, a finding that has none. */
  | { readonly check: string; readonly subject?: string | undefined }
  | { readonly release: Version };

/** A risk that the operator accepts. What is accepted no longer blocks, and is still listed. */
export type Acceptance = Risk & {
  /** Undefined on the command line. */
  readonly reason?: string | undefined;
  readonly by?: string | undefined;
  /** The last day on which it counts, `YYYY-MM-DD` in UTC. */
  readonly until?: string | undefined;
};

/** Whether its last day is over, in UTC. What is no date has lapsed. */
export function isLapsed({ until }: Pick<Acceptance, 'until'>, now: Date): boolean {
  if (until === undefined) return false;
  return !(now.getTime() < Date.parse(`${until}T00:00:00Z`) + 86_400_000);
}

/** The name of a risk, as `--accept` takes it. */
export function nameOfRisk(risk: Risk): string {
  if ('issue' in risk) return risk.issue;
  if ('release' in risk) return risk.release;
  return risk.subject === undefined ? risk.check : `${risk.check}/${risk.subject}`;
}

/** The releases whose verdict is accepted. */
export function acceptedReleases(accepted: readonly Acceptance[] = []): Set<Version> {
  return new Set(accepted.flatMap((risk) => ('release' in risk ? [risk.release] : [])));
}
