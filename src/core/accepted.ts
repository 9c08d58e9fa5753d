/** A risk that the operator accepts by name. It no longer blocks an upgrade, and every answer still lists it. */
export interface Acceptance {
  /** A known issue, a finding of a check, or the verdict of a release. */
  readonly kind: 'issue' | 'check' | 'release';
  readonly name: string;
  /** Null on the command line. */
  readonly reason: string | null;
  readonly by: string | null;
  /** The last day on which it counts, `YYYY-MM-DD` in UTC; null if it has no end. */
  readonly until: string | null;
}

/** Whether the last day of an acceptance is over, in UTC. An end that is no date counts as over. */
export function isLapsed({ until }: Pick<Acceptance, 'until'>, now: Date): boolean {
  if (until === null) return false;
  return !(now.getTime() < Date.parse(`${until}T00:00:00Z`) + 86_400_000);
}

/**
 * The name of a finding: its check with its subject after a slash; without a subject its kind, since the check may find
 * something else tomorrow.
 */
export function nameOfFinding(
  finding: Readonly<{ check: string; subject: string | null; evidence: { readonly kind: string } }>,
): string {
  return finding.subject ? `${finding.check}/${finding.subject}` : finding.evidence.kind;
}

export function namesOf(kind: Acceptance['kind'], accepted: readonly Acceptance[] = []): Set<string> {
  return new Set(accepted.filter((acceptance) => acceptance.kind === kind).map(({ name }) => name));
}
