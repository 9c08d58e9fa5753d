import type { ReleaseArtifact } from '../artifact/artifact.js';
import type {
  HopWithWayBack,
  Route,
  RouteHop,
  RouteWithWaysBack,
  WayBack,
  WayBackReason,
} from '../results.js';
import { compact } from '../text/compact.js';
import { compareVersions, requireVersion, type Version } from '../version.js';

export type { HopWithWayBack, RouteWithWaysBack, WayBack, WayBackReason };

/**
 * The first release whose image starts by itself on a database that is ahead of it: one with newer migrations, of which
 * none sorts before the image's own newest.
 */
export const startsOnNewerDatabase = requireVersion('1.123.0');

/**
 * The oldest release that certainly knows the flag: the last one that still needs it. The flag was added at some time
 * after 2026-05-15; the exact release is not known.
 */
export const flagKnownFrom = requireVersion('1.122.0');

/** Before that release, an image starts there only with this set to `true`: Knex reports its migrations as corrupt. */
const flag = { flag: 'ALLOW_MISSING_MIGRATIONS', knownFrom: flagKnownFrom };

/** What is known of the releases of a route. What is not known is absent. */
export interface KnownOfRoute {
  readonly artifacts: ReadonlyMap<string, ReleaseArtifact>;
  /** The newest migration in the image at the start of the route, without extension. */
  readonly newestMigration: string | undefined;
}

/**
 * A route with the cost of going back from each hop. The less is known, the higher it is. Migrations of the job queue are
 * not known at all, and may keep an old worker from starting: `findings/graphile-worker-ends-where-a-newer-one-starts.sh`.
 */
export function withWaysBack(route: Route, known?: KnownOfRoute): RouteWithWaysBack {
  let newest = known?.newestMigration;
  const hops = route.hops.map((hop): HopWithWayBack => {
    const steps = stepsOf(hop, known?.artifacts);
    const withWay = { ...hop, wayBack: wayBack(hop, steps, newest) };
    newest = newestOf(newest, steps);
    return withWay;
  });
  return { ...route, hops };
}

interface Step {
  readonly version: Version;
  /** By name, without extension; undefined if nothing lists them. */
  readonly migrations: readonly string[] | undefined;
  /** Its artifact says nothing against running the previous code on the new schema. */
  readonly proven: boolean;
}

function stepsOf(
  { fromVersion, releases }: RouteHop,
  artifacts: KnownOfRoute['artifacts'] | undefined,
): readonly Step[] {
  return releases.map((version, i) => {
    const artifact = artifacts?.get(version);
    // An artifact that compares with another release than the one before it does not list all that lies between them.
    if (artifact === undefined || artifact.previousVersion !== (releases[i - 1] ?? fromVersion)) {
      return { version, migrations: undefined, proven: false };
    }
    const { compatibility, declaredBreaks = [] } = artifact;
    const proven = compatibility.rollingUpdateSafe === true && declaredBreaks.length === 0;
    return { version, migrations: migrationsOf(artifact), proven };
  });
}

function migrationsOf({ migrations }: ReleaseArtifact): readonly string[] | undefined {
  if (migrations === undefined || migrations.present === 'unknown') return undefined;
  return migrations.files.map(({ name }) => name.replace(/\.[jt]s$/, ''));
}

/** The newest migration after a hop; undefined if the hop may bring one that is not listed. */
function newestOf(before: string | undefined, steps: readonly Step[]): string | undefined {
  if (before === undefined || steps.some(({ migrations }) => migrations === undefined)) return undefined;
  return steps.flatMap(({ migrations }) => migrations ?? []).reduce((a, b) => (b > a ? b : a), before);
}

function wayBack(hop: RouteHop, steps: readonly Step[], newest: string | undefined): WayBack {
  const { fromVersion, missingRanges, belowIndexFloor } = hop;
  if (missingRanges.length > 0 || belowIndexFloor || steps.length === 0) {
    return { needs: 'backup', because: [{ kind: 'hop-not-covered' }] };
  }
  const versions = steps.filter((step) => step.migrations === undefined).map(({ version }) => version);
  if (versions.length > 0) return { needs: 'backup', because: [{ kind: 'migrations-not-told', versions }] };

  const names = steps.flatMap((step) => step.migrations ?? []);
  const migrations = names.length;
  if (migrations === 0) return { needs: 'code', because: [{ kind: 'no-migrations' }] };

  const startsAlone = compareVersions(fromVersion, startsOnNewerDatabase) >= 0;
  const against = [
    ...againstOldCode(hop, steps),
    ...(startsAlone ? againstOrder(names, newest) : againstFlag(fromVersion)),
  ];
  if (against.length > 0) return { needs: 'backup', because: against };
  if (startsAlone) return { needs: 'code', because: [{ kind: 'starts-on-newer-database', migrations }] };
  const kind = 'starts-with-flag';
  return { needs: 'flag', because: [{ kind, migrations, ...flag, neededBelow: startsOnNewerDatabase }] };
}

/** Safe to roll means that old code works on the new schema (span rules 1 and 2). */
function againstOldCode(
  { releases, verdict, unsafeVersions, unknownVersions, knownIssues }: RouteHop,
  steps: readonly Step[],
): WayBackReason[] {
  const notProven = steps.filter(({ proven }) => !proven).map(({ version }) => version);
  const unproven = new Set([...unsafeVersions, ...unknownVersions, ...notProven]);
  const versions =
    unproven.size === 0 && verdict !== true ? releases : releases.filter((version) => unproven.has(version));
  const ids = knownIssues.map(({ id }) => id);
  return compact<WayBackReason>(
    versions.length > 0 && { kind: 'old-code-not-proven', versions },
    ids.length > 0 && { kind: 'issues-hold', ids },
  );
}

/** What the database has and the image has not must be newer than all in the image; else the two have diverged. */
function againstOrder(migrations: readonly string[], newest: string | undefined): WayBackReason[] {
  if (newest === undefined) return [{ kind: 'order-not-known' }];
  const before = migrations.filter((name) => !/^\d{14}_./.test(name) || name <= newest);
  return before.length === 0 ? [] : [{ kind: 'sorts-before', migrations: before }];
}

function againstFlag(version: Version): WayBackReason[] {
  if (compareVersions(version, flagKnownFrom) >= 0) return [];
  return [{ kind: 'refuses-newer-database', version, ...flag }];
}
