import { type Finding, type FindingStatus, findingStatuses } from '../../preflight/finding.js';
import type { DescribedFinding } from '../words/checks.js';

export interface DescribedGroup extends DescribedFinding {
  readonly checks: readonly string[];
  readonly status: FindingStatus;
}

/** The findings in words, the gravest first. If several checks say the same, it is shown once for all of them. */
export function describeTogether<Evidence>(
  findings: readonly Finding<string, Evidence>[],
  describe: (finding: Finding<string, Evidence>) => DescribedFinding,
): readonly DescribedGroup[] {
  const groups = new Map<string, DescribedGroup & { readonly checks: string[] }>();
  for (const finding of gravestFirst(findings)) {
    const { check, status } = finding;
    const one = describe(finding);
    const key = JSON.stringify([status, one]);
    const before = groups.get(key);
    if (before === undefined) groups.set(key, { checks: [check], status, ...one });
    else if (!before.checks.includes(check)) before.checks.push(check);
  }
  return [...groups.values()];
}

/** The words to explain: the kinds of findings that stop, or were not checked. */
export function gravestKinds(
  findings: readonly Finding<string, { readonly kind: string }>[],
): readonly string[] {
  const gravest = gravestFirst(findings).filter(
    ({ status }) => status === 'stop' || status === 'not-checked',
  );
  return [...new Set(gravest.map(({ evidence }) => evidence.kind))].slice(0, 6);
}

function gravestFirst<Evidence>(
  findings: readonly Finding<string, Evidence>[],
): readonly Finding<string, Evidence>[] {
  return [...findings].sort((a, b) => findingStatuses.indexOf(a.status) - findingStatuses.indexOf(b.status));
}
