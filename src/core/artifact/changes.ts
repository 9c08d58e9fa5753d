import type { Verdict, Version } from '../field-schemas.js';
import type {
  FoldedConfigChanges,
  NetConfigChange,
  SpanApiChanges,
  SpanMigration,
  SpanMigrations,
  VariableDefault,
} from '../results.js';
import type { ConfigChange, MigrationFile, ReleaseArtifact } from './artifact.js';

/** One change of an environment variable, and the release that made it. */
interface ReleasedConfigChange {
  readonly version: Version;
  readonly change: ConfigChange;
}

/** What artifacts say of the environment variables of these releases, oldest first. */
export function configChangesOf(
  releases: readonly { readonly version: Version; readonly artifact?: ReleaseArtifact | undefined }[],
): readonly ReleasedConfigChange[] {
  return releases.flatMap(({ version, artifact }) =>
    (artifact?.config?.changes ?? []).map((change) => ({ version, change })),
  );
}

/**
 * Folds the changes of a span into their net effect: a rename after a rename is one rename, a default that was changed
 * and changed back is no change, a variable that was renamed and then removed is removed.
 *
 * A variable is followed by the name it has at the time. A variable that is removed and named again later was added
 * again in between: additions break nothing, so artifacts do not list them. A rename keeps the default unless it states
 * another.
 *
 * @param released oldest first
 */
export function foldConfigChanges(released: readonly ReleasedConfigChange[]): FoldedConfigChanges {
  const variables: Variable[] = [];
  const unrecognised: { version: Version; change: Readonly<Record<string, unknown>> }[] = [];
  for (const { version, change } of released) {
    if (change.type === 'unrecognised') {
      unrecognised.push({ version, change: change.change });
      continue;
    }
    for (const variable of findVariables(variables, change)) {
      if (variable.versions.at(-1) !== version) variable.versions.push(version);
      apply(variable, change);
    }
  }
  return { changes: variables.flatMap((variable) => netChange(variable) ?? []), unrecognised };
}

type KnownChange = Exclude<ConfigChange, { type: 'unrecognised' }>;

interface Variable {
  /** Oldest first; the last is its current name. */
  names: string[];
  removed: boolean;
  /** Whether any release after the first stated a default. */
  defaultChanged: boolean;
  firstDefault: VariableDefault;
  defaultNow: VariableDefault;
  versions: Version[];
}

/**
 * The variables that a change is about: those that have its name now, else those that had it when they were removed.
 */
function findVariables(variables: Variable[], change: KnownChange): Variable[] {
  const name = change.type === 'renamed' ? change.previousName : change.name;
  const bearing = variables.filter(({ names }) => names.at(-1) === name);
  const alive = bearing.filter(({ removed }) => !removed);
  if (alive.length > 0) return alive;
  if (bearing.length > 0) return bearing;
  // A name that another variable gave up belongs, from then on, to a variable that was added within the span.
  if (variables.some(({ names }) => names.includes(name))) return [];
  const defaults = { defaultChanged: false, firstDefault: undefined, defaultNow: undefined };
  const variable: Variable = { names: [name], removed: false, ...defaults, versions: [] };
  variables.push(variable);
  return [variable];
}

function apply(variable: Variable, change: KnownChange): void {
  const untouched = !variable.defaultChanged && variable.firstDefault === undefined;
  variable.removed = change.type === 'removed';
  if (change.type === 'renamed') {
    variable.names.push(change.name);
    if (change.defaultValue === undefined) return;
    if (untouched) variable.firstDefault = change.defaultValue;
    else variable.defaultChanged = true;
  } else if (untouched) {
    variable.firstDefault = change.previousDefault;
  }
  if (change.type === 'defaultChanged') variable.defaultChanged = true;
  if (change.type !== 'removed') variable.defaultNow = change.defaultValue;
  else if (untouched) variable.defaultNow = change.previousDefault;
}

function netChange(variable: Variable): NetConfigChange | undefined {
  const { names, removed, defaultChanged, firstDefault, defaultNow, versions } = variable;
  const name = names.at(-1) ?? '';
  const formerNames = [...new Set(names)].filter((former) => removed || former !== name);
  const net = { formerNames, name, previousDefault: firstDefault, defaultValue: defaultNow, versions };
  if (removed) return { ...net, type: 'removed', defaultValue: undefined };
  if (names[0] !== name) return { ...net, type: 'renamed' };
  // Two defaults that are not stated may differ.
  const changedBack = firstDefault !== undefined && firstDefault === defaultNow;
  return defaultChanged && !changedBack ? { ...net, type: 'defaultChanged' } : undefined;
}

/** Whether a net change concerns an operator who sets the variables of these names. */
export function concernsVariables(
  names: ReadonlySet<string>,
  { formerNames, name, type }: NetConfigChange,
): boolean {
  return formerNames.some((former) => names.has(former)) || (type === 'defaultChanged' && names.has(name));
}

/** Every release of a span, oldest first, with its artifact if there is one. */
type Releases = readonly { readonly version: Version; readonly artifact: ReleaseArtifact | undefined }[];

/** What a span changes on one API surface. */
export function collectApiChanges(
  releases: Releases,
  surfaceName: 'rest' | 'mcp',
  reportsNothing: ReportsNothing,
): SpanApiChanges {
  const breaking = new Map<string, Version[]>();
  const advisories = new Map<string, Version[]>();
  const unlisted: { version: Version; breaking: number; advisories: number }[] = [];
  const notReported: Version[] = [];
  let breakingCount = 0;
  let advisoryCount = 0;
  for (const { version, artifact } of releases) {
    const surface = artifact?.api?.[surfaceName];
    if (!surface?.checked || surface.breaking === 'unknown') notReported.push(version);
    if (surface === undefined) continue;
    breakingCount += surface.breakingCount;
    advisoryCount += surface.advisoryCount;
    const more = {
      breaking: addChanges(breaking, version, surface.changes, surface.breakingCount),
      advisories: addChanges(advisories, version, surface.advisories, surface.advisoryCount),
    };
    if (more.breaking + more.advisories > 0) unlisted.push({ version, ...more });
  }
  const isUnknown = reportsNothing(notReported, breakingCount + advisoryCount);
  return {
    breakingCount: isUnknown ? null : breakingCount,
    advisoryCount: isUnknown ? null : advisoryCount,
    breaking: [...breaking].map(([text, versions]) => ({ text, versions })),
    advisories: [...advisories].map(([text, versions]) => ({ text, versions })),
    unlisted,
    notReported,
  };
}

/** Adds the lines of one release. @returns the number of changes that it counts but does not list */
function addChanges(
  changes: Map<string, Version[]>,
  version: Version,
  lines: readonly string[],
  count: number,
): number {
  const listedLines = isOverflowLine(lines, count) ? lines.slice(0, -1) : lines;
  for (const text of new Set(listedLines)) {
    changes.set(text, [...(changes.get(text) ?? []), version]);
  }
  return count - listedLines.length;
}

/** A capped list ends with a line that counts the rest ("… and 11 more"). That line is not a change. */
function isOverflowLine(lines: readonly string[], count: number): boolean {
  const rest = /^\W*(?:(?:and|plus)\s+)?(\d+)\s+(?:more|other|further)\b/i.exec(lines.at(-1) ?? '')?.[1];
  return Number(rest) === count - lines.length + 1;
}

/** Whether nothing is known when artifacts list `found` items in all and the releases `notReported` list nothing. */
type ReportsNothing = (notReported: readonly Version[], found: number) => boolean;

/** How heavy a migration is for the database: `may-be-heavy` if its artifact does not say. */
export type MigrationWeight = 'heavy' | 'may-be-heavy' | 'light';

export function collectMigrations(releases: Releases, reportsNothing: ReportsNothing): SpanMigrations {
  const files: SpanMigration[] = [];
  const notReported: Version[] = [];
  for (const { version, artifact } of releases) {
    const migrations = artifact?.migrations;
    if (migrations === undefined || migrations.present === 'unknown') notReported.push(version);
    for (const file of migrations?.files ?? []) files.push({ version, ...file });
  }
  const coreCount = files.filter(({ edition }) => edition === 'core').length;
  const counts = reportsNothing(notReported, files.length)
    ? { count: null, coreCount: null, eeCount: null }
    : { count: files.length, coreCount, eeCount: files.length - coreCount };
  return { ...counts, files: files.sort((a, b) => burdenOf(b) - burdenOf(a)), notReported };
}

/** A migration is heavy if it is known to lock, rewrite or scan a table. */
export function weightOf(file: MigrationFile): MigrationWeight {
  const effects = effectsOf(file);
  if (effects.includes(true)) return 'heavy';
  return effects.includes('unknown') ? 'may-be-heavy' : 'light';
}

/** The lock of a rewrite lasts longer for a larger table, and a scan reads as much; a lock alone may be short. */
function effectsOf({ heaviness }: MigrationFile): readonly Verdict[] {
  return [heaviness.rewritesTable, heaviness.scansTable, heaviness.locksTable];
}

const certainty: Record<`${Verdict}`, number> = { false: 0, unknown: 1, true: 2 };

function burdenOf(file: MigrationFile): number {
  const effects = effectsOf(file).map((effect) => certainty[`${effect}`]);
  return effects.reduce((burden, effect) => burden * 3 + effect, Math.max(...effects));
}
