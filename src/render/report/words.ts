import type { SpanApiChanges } from '../../release-safety/api-changes.js';
import type { NetConfigChange, VariableDefault } from '../../release-safety/config-changes.js';
import type { Verdict } from '../../release-safety/index-schema.js';
import type { ArtifactDisagreement } from '../../release-safety/reconcile.js';
import {
  type ArtifactStatus,
  type ReportedRelease,
  type Standing,
  standings,
  tellsNothing,
  type UpgradeReport,
} from '../../release-safety/report.js';
import { questionOf } from '../../release-safety/span.js';
import { type SpanMigration, weightOf } from '../../release-safety/span-migrations.js';
import { describeDispute } from '../words/disagreements.js';
import { describeBlock, describeHole, describeReason } from '../words/reasons.js';
import { describeAdvisory, describeBreak, effectsOf } from '../words/release.js';

/** The words of a report: every format of it says the same. */

export const standingWords: Record<Standing, { readonly label: string; readonly meaning: string }> = {
  proven: { label: 'proven', meaning: 'index and artifact say true' },
  unsafe: { label: 'unsafe', meaning: 'the index or the artifact says false' },
  'unknown-recent': {
    label: 'unknown, recent',
    meaning: 'published with an unknown verdict, which counts as unsafe',
  },
  'unknown-backfilled': {
    label: 'unknown, backfilled',
    meaning: 'recorded afterwards: its verdict stays unknown, which counts as unsafe',
  },
  'not-borne-out': { label: 'not borne out', meaning: 'true in the index, and no artifact bears that out' },
};

/** One of the two questions a report answers. */
export interface Answer {
  readonly question: 'Direct upgrade' | 'Rolling update';
  readonly answer: 'yes' | 'no' | 'unknown';
  /** What speaks against it, a line each. */
  readonly why: readonly string[];
}

export function answersOf(report: UpgradeReport): readonly [jump: Answer, rolling: Answer] {
  const { span, counts, indexAlone } = report;
  const againstJump = span.reasons
    .filter(({ kind }) => questionOf[kind] === 'jump')
    .map((reason) => describeReason(reason, span.fromVersion));
  const againstRolling = standings
    .filter((standing) => standing !== 'proven' && counts[standing] > 0)
    .map((standing) => {
      const { label, meaning } = standingWords[standing];
      return `${countOf(counts[standing], 'release')} ${label}: ${meaning}`;
    });
  againstRolling.push(...span.missingRanges.map((range) => `${describeHole(range)} (span rule 7)`));
  const { blockedBy, fromVersion, toVersion } = report;
  if (blockedBy !== null && toVersion === fromVersion) againstRolling.push(describeBlock(blockedBy));
  // Where the index alone says the same, the artifacts make no difference.
  const dispute = (alone: Verdict) =>
    span.disagreements.length > 0 && alone === true
      ? [`the index alone says yes; ${describeDisputes(report)}`]
      : [];
  return [
    {
      question: 'Direct upgrade',
      answer: span.jump === true ? 'yes' : span.jump === false ? 'no' : 'unknown',
      why: [...againstJump, ...dispute(indexAlone.jump)],
    },
    {
      question: 'Rolling update',
      answer: span.rolling ? 'yes' : 'no',
      why: [...againstRolling, ...dispute(indexAlone.rolling)],
    },
  ];
}

/** What is not read disagrees with nothing. */
function describeDisputes({ span, artifacts }: UpgradeReport): string {
  const unread = span.disagreements.filter(isUnread).length;
  const disagreements = span.disagreements.length - unread;
  return [
    ...(disagreements === 0 ? [] : [`${countOf(disagreements, 'disagreement')} with the artifacts`]),
    ...(unread === 0
      ? []
      : [artifacts.read === 0 ? 'no artifact was read' : `${countOf(unread, 'artifact')} not read`]),
  ].join(', ');
}

function isUnread({ kind }: ArtifactDisagreement): boolean {
  return kind === 'missing-artifact' || kind === 'unavailable-artifact' || kind === 'invalid-artifact';
}

export function describeVerdict({ safe }: UpgradeReport): string {
  return safe ? 'SAFE' : 'UNSAFE';
}

export function describeTarget({ toVersion, requestedTarget }: UpgradeReport): string {
  return requestedTarget === toVersion ? toVersion : `${toVersion} (${requestedTarget})`;
}

/** The one thing to do now. */
export function describeNext(report: UpgradeReport): string {
  const { safe, span, route, fromVersion, toVersion, blockedBy } = report;
  if (safe) {
    if (span.direction === 'same-version') return `nothing; ${toVersion} is what runs.`;
    return `upgrade to ${toVersion} in one step; old and new pods may overlap (RollingUpdate).`;
  }
  const blocked = route.blockedBy ?? (toVersion === fromVersion ? blockedBy : null);
  if (blocked !== null) return `no route leads there. ${describeBlock(blocked)}.`;
  const [first] = route.hops;
  if (first === undefined) return 'check the version and the index; nothing certifies this step.';
  const backUp = 'back up the database, then upgrade';
  const how = first.strategy === 'RollingUpdate' ? 'old and new pods may overlap' : 'a short downtime';
  const certified = first.certified ? '' : ' The index does not certify this hop: test it on a copy.';
  if (route.hops.length === 1) {
    return `${backUp} to ${toVersion} with ${first.strategy} (${how}).${certified}`;
  }
  return `${backUp} to ${first.toVersion} with ${first.strategy} (${how}), let its migrations run, and go on hop by hop.${certified}`;
}

/**
 * Why a release is not proven, as far as index and artifact tell. A declared break is told of one that is, too. That an
 * artifact was not read is not told of each where none was.
 */
export function describeWhy(
  release: ReportedRelease,
  { artifacts }: Pick<UpgradeReport, 'artifacts'>,
): string[] {
  const breaks = release.declaredBreaks.map((declared) => `declared break: ${describeBreak(declared)}`);
  if (release.standing === 'proven') return breaks;
  const untold =
    release.standing === 'unsafe' && release.artifact === 'backfilled'
      ? [`what it breaks is not known: ${artifactWords.backfilled}`]
      : [];
  return [
    ...untold,
    ...breaks,
    ...release.migrations.map((migration) => `migration ${describeMigration(migration)}`),
    ...release.disagreements.filter((one) => artifacts.read > 0 || !isUnread(one)).map(describeDispute),
  ];
}

/** What the publisher claims to break nobody, a line each. */
export function describeAdvisories(releases: readonly ReportedRelease[]): string[] {
  return releases.flatMap(({ version, declaredAdvisories }) =>
    declaredAdvisories.map((advisory) => `${version}: ${describeAdvisory(advisory)}`),
  );
}

/** What a migration does to its tables: `rewrites, locks`, `may scan`, or `light`. */
export function describeHeaviness(migration: SpanMigration): string {
  const may = effectsOf(migration, 'unknown').map((effect) => `may ${effect.slice(0, -1)}`);
  const all = [...effectsOf(migration, true), ...may];
  return all.length === 0 ? 'light' : all.join(', ');
}

export function describeMigration(migration: SpanMigration): string {
  const { name, edition, tables } = migration;
  const on = tables.length === 0 ? 'no table named' : tables.join(', ');
  return `${name} (${edition}) on ${on}: ${describeHeaviness(migration)}`;
}

/** What became of an environment variable. */
export function describeNetChange({
  type,
  formerNames,
  name,
  previousDefault,
  defaultValue,
}: NetConfigChange): string {
  const former = formerNames[0] ?? name;
  const defaults = `${showDefault(previousDefault)}, now ${showDefault(defaultValue)}`;
  switch (type) {
    case 'removed':
      return `${former} removed${former === name ? '' : ` (called ${name} by then)`}`;
    case 'renamed':
      return `${former} renamed to ${name}${previousDefault === defaultValue ? '' : ` (default ${defaults})`}`;
    case 'defaultChanged':
      return `${name} has another default: ${defaults}`;
  }
}

/** What the operator who sets the variable has to do. */
export function describeWhatToChange({ type, formerNames, name }: NetConfigChange): string {
  switch (type) {
    case 'removed':
      return `remove ${formerNames.join(' or ')}: nothing reads it any more`;
    case 'renamed':
      return `set ${name} instead of ${formerNames.join(' or ')}`;
    case 'defaultChanged':
      return `nothing, if your value is meant: what you set for ${name} outweighs the default`;
  }
}

function showDefault(value: VariableDefault): string {
  if (value === undefined) return 'not told';
  return value === null ? 'none' : JSON.stringify(value);
}

export const artifactWords: Record<Exclude<ArtifactStatus, 'read'>, string> = {
  backfilled: 'backfilled, so that none was published',
  'other-release': 'what is published describes another release',
  'missing-artifact': 'there is none',
  'unavailable-artifact': 'it could not be had',
  'invalid-artifact': 'it cannot be trusted',
};

/** What artifacts tell of one matter, in a line, and what that line leaves open. */
export interface Told {
  readonly totals: string;
  /** Undefined where it leaves nothing open, or everything. */
  readonly note: string | undefined;
}

/** @param totals what is known; null where nothing is, and then it is not put as a number */
function told({ releases, span }: UpgradeReport, untold: readonly string[], totals: string | null): Told {
  if (totals === null)
    return { totals: 'not known: no artifact that was read tells of this', note: undefined };
  const read = new Set(releases.filter(({ artifact }) => artifact === 'read').map(({ version }) => version));
  const silent = untold.filter((version) => read.has(version)).length;
  const unread = untold.length - silent;
  const open = [
    ...(unread === 0
      ? []
      : [
          `${number(unread)} of ${countOf(releases.length, 'release')} ${unread === 1 ? 'is' : 'are'} not read`,
        ]),
    ...(silent === 0
      ? []
      : [
          `${countOf(silent, 'artifact')} that ${silent === 1 ? 'was' : 'were'} read ${silent === 1 ? 'does' : 'do'} not tell`,
        ]),
    ...(span.missingRanges.length === 0 ? [] : ['the index lacks releases of the span']),
  ];
  if (open.length === 0) return { totals, note: undefined };
  return { totals: `at least ${totals}`, note: `${sentence(open.join(', '))}: there may be more.` };
}

export function tellMigrations(report: UpgradeReport): Told {
  const { count, coreCount, eeCount, files, notReported: untold } = report.migrations;
  const heavy = files.filter((file) => weightOf(file) === 'heavy').length;
  const totals =
    count === null || coreCount === null || eeCount === null
      ? null
      : `${number(count)} in all: ${number(coreCount)} core, ${number(eeCount)} enterprise; ${number(heavy)} known to lock, rewrite or scan a table`;
  return told(report, untold, totals);
}

export function tellApi(report: UpgradeReport, surface: SpanApiChanges): Told {
  const { breakingCount, advisoryCount, notReported: untold } = surface;
  const totals =
    breakingCount === null || advisoryCount === null
      ? null
      : `${countOf(breakingCount, 'breaking change')}, ${countOf(advisoryCount, 'advisory', 'advisories')}`;
  return told(report, untold, totals);
}

/** Of the variables that nobody is known to set. */
export function tellConfig(report: UpgradeReport): Told {
  const { variablesSet, ofVariablesSet, changes, unrecognised, notReported: untold } = report.config;
  const others = changes.length - ofVariablesSet.length;
  const nothing = tellsNothing(report, untold, changes.length + unrecognised.length);
  const what = variablesSet === null ? 'variable' : 'other variable';
  return told(
    report,
    untold,
    nothing ? null : `${countOf(others, what)} removed, renamed or with another default`,
  );
}

/** Of the variables that the operator sets; undefined where those are not known, or nothing of them is. */
export function tellVariablesSet(report: UpgradeReport): string | undefined {
  const { variablesSet, ofVariablesSet, changes, unrecognised, notReported: untold } = report.config;
  if (variablesSet === null) return undefined;
  if (tellsNothing(report, untold, changes.length + unrecognised.length)) return undefined;
  const found = ofVariablesSet.length;
  const totals = `${number(found)} of the ${countOf(variablesSet, 'variable')} that you set ${found === 1 ? 'is' : 'are'} changed`;
  return told(report, untold, totals).totals;
}

export function tellAdvisories(report: UpgradeReport): Told {
  const { releases } = report;
  const found = sum(releases.map(({ declaredAdvisories }) => declaredAdvisories.length));
  const unread = releases.filter(({ artifact }) => artifact !== 'read').map(({ version }) => version);
  return told(report, unread, tellsNothing(report, unread, found) ? null : `${number(found)} in all`);
}

/**
 * Where no artifact was read, that of what they would tell nothing is known, and how to have them read: a line each,
 * to stand above everything. Empty where one was read, or where there is no release to read one of.
 */
export function describeNothingRead({
  artifacts,
  releases,
  fromVersion,
  toVersion,
}: UpgradeReport): string[] {
  if (artifacts.read > 0 || releases.length === 0) return [];
  const none = `No artifact was read of the ${countOf(releases.length, 'release')}`;
  const unknown = 'What they break, migrate and change is not known.';
  if (artifacts.notRead === 0) {
    return [`${none}: they are backfilled, and none was published. ${unknown}`];
  }
  return [
    `${none}. ${unknown}`,
    `To have them read: run this without --offline where there is a network. Or write a mirror there, with lightspan index mirror --out ./mirror --from ${fromVersion} --to ${toVersion}, and run this here with --index ./mirror.`,
  ];
}

export function describeUnlisted({ unlisted }: SpanApiChanges): string[] {
  return unlisted.map(({ version, breaking, advisories }) => {
    const more = [
      ...(breaking > 0 ? [countOf(breaking, 'breaking change')] : []),
      ...(advisories > 0 ? [countOf(advisories, 'advisory', 'advisories')] : []),
    ];
    return `${version} counts ${more.join(' and ')} more than its artifact lists`;
  });
}

/** The releases that a change came in; a long list as its first and how many more. */
export function describeVersions(versions: readonly string[]): string {
  const shown = versions.slice(0, 3).join(', ');
  return versions.length <= 3 ? shown : `${shown} and ${versions.length - 3} more`;
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** `3598` as `3,598`. */
export function number(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** Text from outside may be of any length; what is cut is counted. */
export function clip(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
  return `${text.slice(0, end)}... (${number(text.length - end)} characters more)`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
