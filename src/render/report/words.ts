import type { NetConfigChange, VariableDefault } from '../../release-safety/config-changes.js';
import type { Verdict } from '../../release-safety/index-schema.js';
import type { ArtifactDisagreement } from '../../release-safety/reconcile.js';
import {
  type ArtifactStatus,
  type ReportedRelease,
  type Standing,
  standings,
  type UpgradeReport,
} from '../../release-safety/report.js';
import { questionOf } from '../../release-safety/span.js';
import type { SpanMigration } from '../../release-safety/span-migrations.js';
import { countOf } from '../phrase.js';
import { describeDispute } from '../words/disagreements.js';
import { describeBlock, describeHole, describeReason } from '../words/reasons.js';
import { describeBreak, effectsOf } from '../words/release.js';
import { type Column, lineOf } from './section.js';

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
    .filter((reason) => questionOf(reason) === 'jump')
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
    ...release.migrations.map(
      (migration) => `migration ${lineOf(migrationColumns, migrationCells(migration))}`,
    ),
    ...release.disagreements.filter((one) => artifacts.read > 0 || !isUnread(one)).map(describeDispute),
  ];
}

/** What is said of a migration: its cells in a table, and how they join to a line. */
export const migrationColumns: readonly Column[] = [
  { title: 'Migration' },
  { title: 'Edition', around: [' (', ')'] },
  { title: 'Tables', around: [' on '] },
  { title: 'What it does', around: [': '] },
];

export function migrationCells(migration: SpanMigration) {
  const { name, edition, tables } = migration;
  const does = [
    ...effectsOf(migration, true),
    ...effectsOf(migration, 'unknown').map((effect) => `may ${effect.slice(0, -1)}`),
  ];
  return [
    name,
    edition,
    tables.length === 0 ? 'no table named' : tables.join(', '),
    does.length === 0 ? 'light' : does.join(', '),
  ] as const;
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
