import {
  type CheckGroup,
  type Finding,
  type FindingStatus,
  findingStatuses,
  type NotChecked,
} from '../checks/check.js';
import { type DescribedFinding, describeLacking } from '../checks/describe.js';
import { capped } from '../words/lists.js';
import { countOf } from '../words/phrase.js';
import { printable } from '../words/printable.js';
import { mostNamed } from './section.js';

/** What checks found alike, or lack alike. */
export interface FoundGroup extends DescribedFinding {
  readonly status: FindingStatus;
  /** The status as it is shown, such as `STOP`. */
  readonly label: string;
  readonly checks: readonly string[];
  /** Many checks in few words, such as `20 checks of the database`. */
  readonly brief: string;
}

export interface GroupingOptions<Evidence> {
  readonly labels: Readonly<Record<FindingStatus, { readonly label: string }>>;
  readonly describe: (finding: Finding<string, Evidence | NotChecked>) => DescribedFinding;
  readonly groupOf?: (check: string) => CheckGroup | undefined;
}

type Found<Evidence> = Finding<string, Evidence | NotChecked>;
type Told<Evidence> = Found<Evidence> & DescribedFinding;

/**
 * The findings in words, the gravest first. Several checks that found the same are one group, and so are those that the
 * same would settle: each check that was not done is in one group. Of a check that stops, it is not said what else of it
 * was not done: that is seen once it no longer stops.
 */
export function groupFindings<Evidence extends { readonly kind: string }>(
  findings: readonly Found<Evidence>[],
  { labels, describe, groupOf = () => undefined }: GroupingOptions<Evidence>,
): readonly FoundGroup[] {
  const told = gravestFirst(findings).map((finding) => ({ ...finding, ...describe(finding) }));
  const stopping = new Set(told.filter(({ status }) => status === 'stop').map(({ check }) => check));
  const advised = new Map<string, string>();
  for (const { check, status, remedy } of told) {
    if (status !== 'not-checked') continue;
    const text = remedy?.text ?? '';
    const before = advised.get(check);
    if (before === undefined) advised.set(check, text);
    else if (!before.includes(text)) advised.set(check, `${before} ${text}`);
  }
  const groups = new Map<string, [Told<Evidence>, ...Told<Evidence>[]]>();
  for (const one of told) {
    const { check, status, description, remedy } = one;
    if (status === 'not-checked' && stopping.has(check)) continue;
    const same = status === 'not-checked' ? advised.get(check) : [description, remedy];
    const key = JSON.stringify([status, same]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => {
    const [{ check, status, remedy }] = group;
    const checks = [...new Set(group.map((one) => one.check))];
    const text = status === 'not-checked' ? advised.get(check) : undefined;
    return {
      ...{ status, checks, label: labels[status].label, brief: briefOf(checks, groupOf) },
      description: describeAll(group),
      remedy: remedy === null || text === undefined ? remedy : { ...remedy, text },
    };
  });
}

function briefOf(checks: readonly string[], groupOf: (check: string) => CheckGroup | undefined): string {
  if (checks.length <= mostNamed) return checks.join(', ');
  const [group, ...others] = new Set(checks.map(groupOf));
  const of = group === undefined || others.length > 0 ? '' : ` of the ${group}`;
  return `${countOf(checks.length, 'check')}${of}`;
}

/** What different checks say of the same, once: of facts that were not seen, all together. */
function describeAll(group: readonly Told<{ readonly kind: string }>[]): string {
  const [first = '', ...others] = new Set(group.map(({ description }) => description));
  if (others.length === 0) return first;
  const missing = group.flatMap(({ evidence }) => (isLacking(evidence) ? evidence.missing : []));
  const rest = group.filter(({ evidence }) => !isLacking(evidence)).map(({ description }) => description);
  return capped([...new Set([...rest, ...describeLacking(missing).map(printable)])]).join('; ');
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

function gravestFirst<Evidence>(
  findings: readonly Finding<string, Evidence>[],
): readonly Finding<string, Evidence>[] {
  return [...findings].sort((a, b) => findingStatuses.indexOf(a.status) - findingStatuses.indexOf(b.status));
}
