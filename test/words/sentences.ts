import type { DeclaredAdvisory, DeclaredBreak } from '../../src/core/artifact/artifact.js';
import type { ArtifactDisagreement } from '../../src/core/artifact/reconcile.js';
import type { IndexFault } from '../../src/core/index/index-faults.js';
import type { Notice } from '../../src/core/notice.js';
import type { PinFinding } from '../../src/core/pins.js';
import type { AppliedIssue, IssueEffect, NetConfigChange } from '../../src/core/results.js';
import type { LandingReason, Route, RouteBlock, RouteHop } from '../../src/core/route/route.js';
import type { WayBackReason } from '../../src/core/route/way-back.js';
import type { Reason, SpanResult } from '../../src/core/span.js';
import { parseVersion } from '../../src/core/version.js';
import type { InstanceState } from '../../src/instance/instance-state.js';
import type { Condition, KnownIssue } from '../../src/known-issues/records.js';

type WithoutKind<Item extends { readonly kind: string }, Kind> = Item extends unknown
  ? Kind extends Item['kind']
    ? Omit<Item, 'kind'>
    : never
  : never;
/** Of every kind what it can be about: leaving a kind out does not compile. */
export type Examples<Item extends { readonly kind: string }> = {
  readonly [Kind in Item['kind']]: readonly WithoutKind<Item, Kind>[];
};

const v = parseVersion;
export const from = v('2.0.0');
export const to = v('2.4.0');
const [one, two, three] = [v('2.1.0'), v('2.2.0'), v('2.3.0')];
const day = '2026-09-06T18:08:42.053Z';
const nextDay = '2026-09-07T18:08:42.053Z';

export const issue = (
  effect: IssueEffect,
  notKnown: readonly string[] = [],
  id = 'lock-left',
): AppliedIssue => ({
  id,
  summary: 'A lock is left behind.',
  version: two,
  effect,
  remedy: 'Free the lock.',
  notKnown,
});
export const effects: Examples<IssueEffect> = {
  'avoid-landing': [{}],
  'required-stops': [{ stops: [one] }, { stops: [one, two, three] }],
  recreate: [{}],
  'action-first': [{}],
  long: [{ seen: '4 hours for 1.4 million rows, then killed' }],
};
export const avoid = issue({ kind: 'avoid-landing' });
export const recreate = issue({ kind: 'recreate' }, [], 'two-schedulers');
const unsure = issue({ kind: 'avoid-landing' }, ['edition']);
const quiteUnsure = issue({ kind: 'long', seen: 'hours' }, ['edition', 'migration-job']);

const between = { afterVersion: one, beforeVersion: three };
const absent = { afterVersion: three, beforeVersion: three };

export const reasons: Examples<Reason> = {
  'below-index-floor': [{ rule: 5, floor: two }],
  'missing-coverage': [
    { rule: 7, range: between },
    { rule: 7, range: absent },
  ],
  'required-stop': [
    { rule: 3, stop: one, demandedBy: [] },
    { rule: 3, stop: one, demandedBy: [two] },
    { rule: 3, stop: one, demandedBy: [two, three, to] },
  ],
  'below-minimum-version': [
    { rule: 4, minimum: one, demandedBy: [two] },
    { rule: 4, minimum: one, demandedBy: [two, three] },
  ],
  'unsafe-release': [{ rule: 2, version: one }],
  'unknown-release': [
    { rule: 1, version: one, backfilled: false },
    { rule: 1, version: one, backfilled: true },
    { rule: 6, version: one, backfilled: true },
  ],
  'known-issue': [avoid, unsure, quiteUnsure],
};

const stuck = { version: one, verdict: 'unknown', reachableVersion: from } as const;
const further = { ...stuck, version: three, reachableVersion: two };
export const blocks: Examples<RouteBlock> = {
  'missing-coverage': [
    { rule: 7, ...stuck, range: between },
    { rule: 7, ...further, range: absent },
  ],
  'required-stop': [
    { rule: 3, ...stuck, stop: one, demandedBy: [] },
    { rule: 3, ...further, stop: one, demandedBy: [two, three] },
  ],
  'below-index-floor': [
    { rule: 5, ...stuck, version: from, floor: two },
    { rule: 5, ...further, floor: two },
  ],
  'below-minimum-version': [{ rule: 4, ...stuck, minimum: two }],
  'unsafe-release': [
    { rule: 2, ...stuck },
    { rule: 2, ...further },
  ],
  'unknown-release': [
    { rule: 1, ...stuck, backfilled: false },
    { rule: 6, ...stuck, backfilled: true },
  ],
  'known-issue': [
    { ...stuck, issues: [avoid] },
    { ...further, issues: [unsure, recreate] },
  ],
};

export const hop: RouteHop = {
  fromVersion: from,
  toVersion: to,
  reason: 'target',
  demandedBy: [],
  landingIssues: [],
  knownIssues: [],
  verdict: true,
  strategy: 'RollingUpdate',
  belowIndexFloor: false,
  certified: true,
  releases: [one, to],
  unsafeVersions: [],
  unknownVersions: [],
  missingRanges: [],
};
export const route: Route = {
  fromVersion: from,
  toVersion: to,
  requestedTarget: to,
  certified: true,
  hops: [hop],
  rolling: true,
  recreateHops: 0,
  blockedBy: null,
};

export const landings: Record<LandingReason, readonly Partial<RouteHop>[]> = {
  'index-floor': [{}],
  'required-stop': [{ demandedBy: [two] }, { demandedBy: [two, three] }, { demandedBy: [] }],
  'minimum-previous-version': [{ demandedBy: [two] }, { demandedBy: [two, three, to] }],
  'known-issue': [{ landingIssues: [avoid] }, { landingIssues: [avoid, recreate] }],
  'least-downtime': [{}],
  target: [{}],
};

/** Hops of which something is to be known beside their row. */
export const hops: Readonly<Record<string, Partial<RouteHop>>> = {
  'that rolls': {},
  'that is a Recreate': {
    strategy: 'Recreate',
    unsafeVersions: [one],
    unknownVersions: [two],
    verdict: false,
  },
  'from below the floor to the floor': {
    ...{ strategy: 'Recreate', certified: false, reason: 'index-floor', belowIndexFloor: true },
    missingRanges: [between],
  },
  'from below the floor': { strategy: 'Recreate', certified: false, belowIndexFloor: true },
  'over two holes': { strategy: 'Recreate', certified: false, missingRanges: [between, absent] },
  'under known issues': { strategy: 'Recreate', certified: false, knownIssues: [avoid, recreate] },
  'that ends there for a known issue': { reason: 'known-issue', landingIssues: [unsure] },
};

const flag = 'ALLOW_MISSING_MIGRATIONS';
export const wayBackReasons: Examples<WayBackReason> = {
  'no-migrations': [{}],
  'starts-on-newer-database': [{ migrations: 1 }],
  'starts-with-flag': [{ migrations: 2, flag, knownFrom: two, neededBelow: three }],
  'hop-not-covered': [{}],
  'migrations-not-told': [{ versions: [one] }, { versions: [one, two, three] }],
  'old-code-not-proven': [{ versions: [one, two, three] }],
  'issues-hold': [{ ids: ['a'] }, { ids: ['a', 'b'] }],
  'refuses-newer-database': [{ version: one, flag, knownFrom: two }],
  'sorts-before': [{ migrations: ['20260801_a'] }, { migrations: ['20260801_a', 'b\u001b[31m'] }],
  'order-not-known': [{}],
};

export const span: SpanResult = {
  fromVersion: from,
  toVersion: to,
  direction: 'upgrade',
  safe: false,
  verdict: false,
  requiredStops: [],
  minPreviousVersion: null,
  coveredVersions: [one, two, three, to],
  missingRanges: [],
  jump: true,
  rolling: false,
  reasons: [],
};
const because = (kind: Reason['kind'], i = 0) => ({ kind, ...reasons[kind][i] }) as Reason;
/** Spans, each with the rule that must be met first. */
export const spans: Readonly<Record<string, Partial<SpanResult>>> = {
  'that is proven': { safe: true, rolling: true, verdict: true },
  'of one version': { safe: true, rolling: true, verdict: true, toVersion: from, direction: 'same-version' },
  'from below the floor': { jump: false, reasons: [because('below-index-floor')] },
  'from below the floor to the floor': {
    jump: false,
    toVersion: two,
    reasons: [because('below-index-floor')],
  },
  'from a version that is not there': {
    ...{ jump: 'unknown', missingRanges: [{ afterVersion: from, beforeVersion: from }] },
    reasons: [{ kind: 'missing-coverage', rule: 7, range: { afterVersion: from, beforeVersion: from } }],
  },
  'to a version that is not there yet': {
    ...{
      jump: 'unknown',
      toVersion: v('2.5.0'),
      missingRanges: [{ afterVersion: to, beforeVersion: v('2.5.0') }],
    },
  },
  'to a version that never was': {
    ...{ jump: 'unknown', toVersion: v('2.3.9'), coveredVersions: [one, two, three] },
    missingRanges: [{ afterVersion: three, beforeVersion: v('2.3.9') }],
  },
  'of which nothing is there': {
    ...{ jump: 'unknown', coveredVersions: [], missingRanges: [{ afterVersion: from, beforeVersion: to }] },
  },
  'under a known issue': { jump: false, reasons: [because('known-issue')] },
  'under two known issues, of which the second forbids the direct upgrade': {
    ...{ jump: false, reasons: [{ kind: 'known-issue', ...recreate }, because('known-issue')] },
  },
  'under a known issue that may apply': { reasons: [because('known-issue', 2)] },
  'over a stop': { jump: false, reasons: [because('required-stop', 2), because('below-minimum-version')] },
  'over two stops': {
    jump: false,
    reasons: [{ kind: 'required-stop', rule: 3, stop: two, demandedBy: [to] }, because('required-stop', 1)],
  },
  'to a stop': {
    jump: false,
    toVersion: one,
    coveredVersions: [one],
    reasons: [because('required-stop', 1)],
  },
  'from below a minimum': { jump: false, reasons: [because('below-minimum-version', 1)] },
  'over a hole': { jump: 'unknown', missingRanges: [between], reasons: [because('missing-coverage')] },
  'over what does not roll': { reasons: [because('unsafe-release'), because('unknown-release', 2)] },
};

export const indexFaults: Examples<IndexFault> = {
  'duplicate-key': [{ key: 'version' }],
  'invalid-field': [{ field: 'entries[3].version', fault: 'expected a version' }],
  duplicate: [
    { version: one, positions: [3, 7] },
    { version: one, positions: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  ],
  disorder: [{ version: one, after: two, position: 7 }],
  gap: [
    { version: two, previousVersion: one, before: from },
    { version: two, previousVersion: null, before: from },
  ],
  'unknown-stop': [{ version: two, stop: one }],
  'later-stop': [{ version: two, stop: three }],
  'unknown-minimum': [{ version: two, minimum: one }],
  'later-minimum': [{ version: two, minimum: three }],
  'floor-missing': [{ floor: one }],
  'floor-not-marked': [{ floor: one }],
  'marked-beside-floor': [
    { version: two, floor: one },
    { version: two, floor: null },
  ],
  'below-floor': [{ version: one, floor: two }],
  'backfilled-true': [{ version: one }],
  'date-backwards': [{ version: two, releaseDate: day, before: one, dateBefore: nextDay }],
  'dated-after-index': [{ version: two, releaseDate: nextDay, generatedAt: day }],
};

export const disagreements: Examples<ArtifactDisagreement> = {
  'field-differs': [
    { version: one, field: 'previousVersion', index: from, artifact: null },
    { version: one, field: 'rollingUpdateSafe', index: true, artifact: 'unknown' },
    { version: one, field: 'requiredStops', index: [], artifact: [two, three] },
    { version: one, field: 'minPreviousVersion', index: null, artifact: from },
  ],
  'other-release': [{ version: one, artifactVersion: '2.1.1' }],
  'backfilled-true': [{ version: one }],
  'missing-artifact': [{ version: one, message: 'the mirror has none' }],
  'unavailable-artifact': [{ version: one, message: 'GET https://a.example/2.1.0.json: HTTP 503' }],
  'invalid-artifact': [{ version: one, message: 'verdict: expected true, false or "unknown"' }],
};

const disagreeing = [
  { kind: 'backfilled-true', version: one },
  { kind: 'missing-artifact', version: two, message: 'the mirror has none' },
] as const;
const check = {
  ...span,
  reasons: [because('required-stop', 1), because('unsafe-release')],
  jump: false,
} as const;
const reconciled = { ...check, disagreements: disagreeing, strategyContradictions: [] };
export const proven = { ...span, ...spans['that is proven'] };
export const pinFindings: Examples<PinFinding> = {
  unchanged: [{}],
  untouched: [{ why: 'the tag latest names no release' }],
  proven: [{ check: proven }],
  recreate: [{ check: { ...span, reasons: [because('unsafe-release')] } }],
  'not-proven': [{ check }, { check: reconciled }],
  downgrade: [{ from: to, to: from }],
  added: [
    { check: proven, issues: [] },
    { check, issues: [] },
    { check: proven, issues: [avoid, recreate] },
  ],
  removed: [{}],
  renamed: [{ renamedFrom: 'old/values.yaml' }],
  'renamed-away': [{ renamedTo: 'new/values.yaml' }],
  unreadable: [
    { side: 'before', why: 'the file is no YAML', to: v('1.156.0') },
    { side: 'after', why: 'the tag latest names no release', hint: undefined },
  ],
  'image-changed': [
    { from: 'lightdash/lightdash', to: 'ghcr.io/bi/lightdash' },
    { from: undefined, to: 'lightdash/lightdash' },
    { from: 'lightdash/lightdash', to: undefined },
  ],
  'digest-changed': [
    { version: one, from: 'sha256:aa', to: 'sha256:bb' },
    { version: one, from: undefined, to: 'sha256:bb' },
    { version: one, from: 'sha256:aa', to: undefined },
  ],
  'digest-kept': [{ from: one, to: two, digest: 'sha256:aa' }],
};

export const breaks: readonly DeclaredBreak[] = [
  { reason: 'drops a table', file: 'a.ts', line: 3, requiredStop: true },
  { reason: 'drops a table', file: 'a.ts', line: null, requiredStop: false },
  { file: null, reason: null },
  { reason: 'drops a table', table: 'spaces', rows: 3, more: { a: [1] }, nothing: null },
] as unknown as readonly DeclaredBreak[];

export const advisories: readonly DeclaredAdvisory[] = [
  { reason: 'adds a field' },
  { reason: 'adds a field', requiredStop: null, author: 'x', count: 2 },
  { reason: 'adds a field', requiredStop: null, impact: { kind: 'none' } },
  {
    reason: 'adds a field',
    requiredStop: null,
    impact: {
      kind: 'additive',
      why: 'old code ignores it',
      covers: { rest: ['GET /a', 'GET /b'], mcp: ['tool'] },
    },
  },
  { unrecognised: ['a form', 1] },
] as unknown as readonly DeclaredAdvisory[];

const variable = { name: 'NEW', versions: [one] };
export const configChanges: readonly NetConfigChange[] = [
  { ...variable, type: 'removed', formerNames: ['NEW'], previousDefault: null, defaultValue: null },
  { ...variable, type: 'removed', formerNames: ['OLD', 'NEW'], previousDefault: null, defaultValue: null },
  { ...variable, type: 'renamed', formerNames: ['OLD'], previousDefault: 'a', defaultValue: 'a' },
  {
    ...variable,
    type: 'renamed',
    formerNames: ['OLD', 'OLDER'],
    previousDefault: undefined,
    defaultValue: 'b',
  },
  { ...variable, type: 'renamed', formerNames: ['OLD'], previousDefault: null, defaultValue: 3 },
  { ...variable, type: 'defaultChanged', formerNames: ['NEW'], previousDefault: false, defaultValue: null },
];

export const conditions: readonly Condition[] = [
  { fact: 'edition', is: 'community' },
  { fact: 'postgres', atLeast: 12 },
  { fact: 'chart', below: v('2.8.0') },
  { fact: 'chart', atLeast: v('2.0.0'), below: v('2.8.0') },
];
export const affected: readonly KnownIssue['affected'][] = [
  [{ introduced: one }],
  [
    { introduced: one, fixed: two },
    { introduced: three, fixed: to },
  ],
];

export const instanceStates: Examples<InstanceState> = {
  ready: [
    { version: to, probe: 'readyz' },
    { version: v('2.10.0'), probe: 'readyz' },
    { version: one, probe: 'health' },
  ],
  'not-ready': [
    { status: 503, reason: 'schema_pending', probe: 'readyz' },
    { status: 404, reason: undefined, probe: 'health' },
  ],
  parked: [{ status: 503 }],
  'unknown-version': [{ message: 'the answer has no version' }],
  unreachable: [{ message: 'connection refused', isUnknownHost: false }],
};

const dayMs = 86_400_000;
export const notices: Examples<Notice> = {
  'old-index': [{ source: 'https://a.example/index.json', generatedAt: day, ageMs: 9 * dayMs }],
  'old-facts': [{ source: 'facts.json', seenAt: day, ageMs: dayMs }],
  offline: [{ source: 'https://a.example/index.json', ageMs: 3_600_000 }],
  waiting: [{ host: 'a.example' }],
  'cache-unavailable': [{ folder: '/cache', reason: 'the disk is full' }],
  leftover: [{ path: '/mirror/.lightspan-lock' }],
  'publisher-only': [{}],
  'replaced-issue': [
    { id: 'lock-left', source: 'records/a.yaml', withdrawn: false },
    { id: 'lock-left', source: 'records/a.yaml', withdrawn: true },
  ],
  'changed-record': [
    { source: 'https://a.example/known-issues.json', id: 'lock-left', modified: day, withdrawn: false },
    { source: 'https://a.example/known-issues.json', id: 'lock-left', modified: day, withdrawn: true },
  ],
  'missing-record': [{ source: 'https://a.example/known-issues.json', id: 'lock-left', file: '/cache/1f' }],
  'old-records': [
    {
      source: 'https://a.example/known-issues.json',
      end: '2.1.0 (as of 2026-09-06)',
      builtIn: '2.10.0 (as of 2026-11-27)',
    },
  ],
  'known-issue': [{ issue: unsure }],
  'strategy-contradiction': [{ versions: [one] }, { versions: [one, two] }],
};
