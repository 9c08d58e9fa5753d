import type { DeclaredAdvisory, DeclaredBreak, MigrationFile } from '../../core/artifact/artifact.js';
import type { ArtifactDisagreement, ReconciledField } from '../../core/artifact/reconcile.js';
import { isUnrecognised } from '../../core/artifact/unrecognised.js';
import type { Verdict } from '../../core/field-schemas.js';
import type { ReleaseStatus } from '../../core/kinds.js';
import type { NetConfigChange, VariableDefault } from '../../core/results.js';
import { describeBy, type Word, type Words } from '../word.js';

/** Lists by major what to do; it named none before 3.0.0 when it was read on 2026-11-27. */
export const upgradeNotesUrl = 'https://docs.lightdash.com/self-host/upgrade-notes';

export const releaseStatusWords: Record<
  ReleaseStatus,
  Word & { readonly label: string; readonly brief: string }
> = {
  proven: {
    label: 'proven',
    brief: 'true in the index, and no artifact contradicts it',
    meaning:
      'The index says true, and no artifact contradicts it. Only such a release counts as safe to roll.',
    rule: 1,
  },
  unsafe: {
    label: 'unsafe',
    brief: 'the index or the artifact says false',
    meaning: 'The index or the artifact says false. Old and new pods must not overlap during the rollout.',
    rule: 2,
    remedy: 'Plan downtime and use Recreate, or choose a target before that release.',
  },
  'unknown-recent': {
    label: 'unknown, recent',
    brief: 'published with an unknown verdict, which counts as unsafe',
    meaning: 'The release was published with an unknown verdict. It counts as unsafe.',
    rule: 1,
    remedy: 'Plan downtime and use Recreate, or wait: the verdict may still come.',
  },
  'unknown-backfilled': {
    label: 'unknown, backfilled',
    brief: 'recorded afterwards; its verdict stays unknown, which counts as unsafe',
    meaning: 'The entry was generated after the release, and its verdict stays unknown. It counts as unsafe.',
    rule: 6,
    remedy: 'Plan downtime and use Recreate.',
  },
  'not-borne-out': {
    label: 'not confirmed',
    brief: 'true in the index, but the artifact contradicts it',
    meaning:
      'The index says true, but the artifact says otherwise, cannot be trusted, or is of another release.',
    remedy: 'The report names the disagreement; lightspan explain says what to do about each.',
  },
};

const effects = [
  ['locksTable', 'locks'],
  ['rewritesTable', 'rewrites'],
  ['scansTable', 'scans'],
] as const;

/** The effects of a migration on its tables for which its artifact states exactly this verdict. */
export function effectsOf({ heaviness }: Pick<MigrationFile, 'heaviness'>, verdict: Verdict): string[] {
  return effects.filter(([field]) => heaviness[field] === verdict).map(([, effect]) => effect);
}

/** `20260901_x (core) on users, orgs: locks, may rewrite` */
export function describeMigration(migration: MigrationFile): string {
  const { name, edition, tables } = migration;
  const does = [
    ...effectsOf(migration, true),
    ...effectsOf(migration, 'unknown').map((effect) => `may ${effect.slice(0, -1)}`),
  ];
  return `${name} (${edition}) on ${tables.join(', ') || 'no table named'}: ${does.join(', ') || 'light'}`;
}

export function describeBreak({ file, line, reason, requiredStop, ...further }: DeclaredBreak): string {
  const place =
    file === undefined || file === null ? '' : ` (${file}${typeof line === 'number' ? `:${line}` : ''})`;
  const stop = requiredStop === undefined ? '' : requiredStop ? ', a required stop' : ', no required stop';
  return `${reason ?? 'no reason given'}${place}${stop}${describeFields(further)}`;
}

export const advisoriesMeaning = 'the publisher says these break nobody; they decide nothing here';

export function describeAdvisory(advisory: DeclaredAdvisory): string {
  if (isUnrecognised(advisory))
    return `in a form unknown to lightspan: ${JSON.stringify(advisory.unrecognised)}`;
  const { reason, requiredStop: _, impact, ...further } = advisory;
  const { kind, covers, ...why } = impact ?? {};
  const covered = [...(covers?.rest ?? []), ...(covers?.mcp ?? [])].join('; ') || undefined;
  return `${reason}${describeFields(further)}${kind ? `, ${kind}` : ''}${describeFields({ ...why, covers: covered })}`;
}

/** `, key value` of each field that has a value. */
function describeFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `, ${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
}

type VariableChange = Omit<NetConfigChange, 'versions'>;

const netChangeWords: Record<
  NetConfigChange['type'],
  { describe(change: VariableChange): string; remedy(change: VariableChange): string }
> = {
  removed: {
    describe: ({ formerNames, name }) => {
      const former = formerNames[0] ?? name;
      return `${former} removed${former === name ? '' : ` (called ${name} by then)`}`;
    },
    remedy: ({ formerNames }) => `remove ${formerNames.join(' or ')}: nothing reads it any more`,
  },
  renamed: {
    describe: (change) => {
      const { formerNames, name, previousDefault, defaultValue } = change;
      const defaults = previousDefault === defaultValue ? '' : ` (default ${describeDefaults(change)})`;
      return `${formerNames[0] ?? name} renamed to ${name}${defaults}`;
    },
    remedy: ({ formerNames, name }) => `set ${name} instead of ${formerNames.join(' or ')}`,
  },
  defaultChanged: {
    describe: (change) =>
      `${change.name}: default changed from ${showDefault(change.previousDefault)} to ` +
      `${showDefault(change.defaultValue)}`,
    remedy: ({ name }) => `nothing if your value is intended: you set ${name}, so your value still applies`,
  },
};

export function describeNetChange(change: VariableChange): string {
  return netChangeWords[change.type].describe(change);
}

export function describeWhatToChange(change: NetConfigChange): string {
  return netChangeWords[change.type].remedy(change);
}

function describeDefaults({ previousDefault, defaultValue }: VariableChange): string {
  return `${showDefault(previousDefault)}, now ${showDefault(defaultValue)}`;
}

function showDefault(value: VariableDefault): string {
  if (value === undefined) return 'not reported';
  return value === null ? 'none' : JSON.stringify(value);
}

const askAgain =
  'Check again later: both may agree by then. Until then, plan Recreate. If you use a mirror, update it.';

/** How the artifacts do not confirm the index: the artifact is the source of truth, the index is derived from it. */
export const disagreementWords: Words<ArtifactDisagreement> = {
  'field-differs': {
    meaning: 'Index and artifact disagree about a release. The worse of the two counts.',
    remedy: askAgain,
    describe: ({ field, index, artifact }) =>
      `${fieldNames[field]} ${show(index)} in the index, ${show(artifact)} in the artifact`,
  },
  'other-release': {
    meaning: 'The published artifact of a release describes another release. It proves nothing.',
    remedy: askAgain,
    describe: ({ artifactVersion }) => `its published artifact describes ${artifactVersion}`,
  },
  'backfilled-true': {
    meaning: 'The index says true for a backfilled release, which has no artifact that could confirm it.',
    rule: 6,
    remedy: 'Plan Recreate for this span.',
    describe: () => 'backfilled, so no artifact confirms the true in the index (span rule 6)',
  },
  'missing-artifact': {
    meaning:
      'A release has no artifact that could confirm or contradict the index. The index alone counts, unless ' +
      'you pass --verify-artifacts.',
    remedy: askAgain,
    describe: ({ message }) => `no artifact, ${message}`,
  },
  'unavailable-artifact': {
    meaning:
      'The artifact of a release is unavailable; it could have confirmed or contradicted the index. The index ' +
      'alone counts, unless you pass --verify-artifacts.',
    remedy: 'Try again; the message says what failed. A mirror (lightspan index mirror) needs no network.',
    describe: ({ message }) => `the artifact is unavailable, ${message}`,
  },
  'invalid-artifact': {
    meaning:
      'The artifact of a release cannot be trusted. It might contradict the index, so the answer is no.',
    remedy: askAgain,
    describe: ({ message }) => `the artifact cannot be trusted, ${message}`,
  },
};

export function describeDisagreement(disagreement: ArtifactDisagreement): string {
  return `${disagreement.version}: ${describeDispute(disagreement)}`;
}

export function describeDispute(disagreement: ArtifactDisagreement): string {
  return describeBy(disagreementWords, disagreement);
}

export const noneWasPublished = 'backfilled, so none was published';

const fieldNames: Record<ReconciledField, string> = {
  previousVersion: 'the previous version is',
  rollingUpdateSafe: 'rollingUpdateSafe is',
  requiredStops: 'the required stops are',
  minPreviousVersion: 'the minimum previous version is',
};

function show(value: Extract<ArtifactDisagreement, { kind: 'field-differs' }>['index']): string {
  if (value === null) return 'none';
  if (typeof value === 'object') return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}
