import { type Finding, type FindingStatus, gravestFirst, type NotChecked } from '../../checks/check.js';
import type { DescribedFinding } from '../../checks/describe.js';
import { printable } from '../../core/text/printable.js';
import { summarizeMissingFacts } from '../../words/evidence/missing-facts.js';
import { firstLines } from '../../words/lists.js';

/** What checks found alike, or lack alike. */
export interface FoundGroup extends DescribedFinding {
  readonly status: FindingStatus;
  /** The status as it is shown, such as `STOP`. */
  readonly label: string;
  readonly checks: readonly string[];
}

type FindingOf<Evidence> = Finding<string, Evidence | NotChecked>;

/**
 * The findings in words, the gravest first. Checks that found the same, or that one and the same fact would settle, are
 * one group. What a check that stops could not look at is left out: it is shown once the check no longer stops.
 */
export function groupFindings<Evidence extends { readonly kind: string }>(
  findings: readonly FindingOf<Evidence>[],
  labels: Readonly<Record<FindingStatus, { readonly label: string }>>,
  describe: (finding: FindingOf<Evidence>) => DescribedFinding,
): readonly FoundGroup[] {
  const stopping = new Set(findings.filter(({ status }) => status === 'stop').map(({ check }) => check));
  const groups = new Map<string, (FindingOf<Evidence> & DescribedFinding)[]>();
  for (const finding of gravestFirst(findings)) {
    const isOpen = finding.status === 'not-checked';
    if (isOpen && stopping.has(finding.check)) continue;
    const described = describe(finding);
    const key = JSON.stringify([finding.status, described.remedy, isOpen ? '' : described.description]);
    groups.set(key, [...(groups.get(key) ?? []), { ...finding, ...described }]);
  }
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ status, remedy }) => ({
      ...{ status, remedy, label: labels[status].label, description: describeAll(group) },
      checks: [...new Set(group.map(({ check }) => check))],
    })),
  );
}

/** What different checks say of the same, once: of facts that were not seen, all together. */
function describeAll(
  group: readonly (DescribedFinding & { readonly evidence: { readonly kind: string } })[],
): string {
  const descriptions = new Set(group.map(({ description }) => description));
  if (descriptions.size === 1) return [...descriptions].join();
  const missing = group.flatMap(({ evidence }) => (isLacking(evidence) ? evidence.missing : []));
  const rest = group.flatMap(({ evidence, description }) => (isLacking(evidence) ? [] : description));
  return firstLines([...new Set([...rest, ...summarizeMissingFacts(missing).map(printable)])]).join('; ');
}

function isLacking(evidence: {
  readonly kind: string;
}): evidence is Extract<NotChecked, { readonly kind: 'facts-not-seen' }> {
  return evidence.kind === 'facts-not-seen';
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
