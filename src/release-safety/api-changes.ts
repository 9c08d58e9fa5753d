import type { ApiSurface, ReleaseArtifact } from './artifact-schema.js';
import type { ListedChange, SpanApiChanges } from './report-results.js';
import type { ReportsNothing } from './span-migrations.js';
import type { Version } from './version.js';

export type { ListedChange, SpanApiChanges };

/**
 * What a span changes on one API surface.
 *
 * @param releases every release of the span, oldest first, with its artifact if there is one
 */
export function collectApiChanges(
  releases: readonly { readonly version: Version; readonly artifact: ReleaseArtifact | undefined }[],
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
    if (surface === undefined || !wasCompared(surface)) notReported.push(version);
    if (surface === undefined) continue;
    breakingCount += surface.breakingCount;
    advisoryCount += surface.advisoryCount;
    const more = {
      breaking: list(breaking, version, surface.changes, surface.breakingCount),
      advisories: list(advisories, version, surface.advisories, surface.advisoryCount),
    };
    if (more.breaking + more.advisories > 0) unlisted.push({ version, ...more });
  }
  const told = !reportsNothing(notReported, breakingCount + advisoryCount);
  return {
    breakingCount: told ? breakingCount : null,
    advisoryCount: told ? advisoryCount : null,
    breaking: listed(breaking),
    advisories: listed(advisories),
    unlisted,
    notReported,
  };
}

function wasCompared({ checked, breaking }: ApiSurface): boolean {
  return checked && breaking !== 'unknown';
}

/** Adds the lines of one release. @returns the number of changes that it counts but does not list */
function list(
  changes: Map<string, Version[]>,
  version: Version,
  lines: readonly string[],
  count: number,
): number {
  const own = isOverflowLine(lines, count) ? lines.slice(0, -1) : lines;
  for (const text of new Set(own)) {
    const versions = changes.get(text);
    if (versions === undefined) changes.set(text, [version]);
    else versions.push(version);
  }
  return count - own.length;
}

/** A capped list ends with a line that counts the rest ("… and 11 more"). That line is not a change. */
function isOverflowLine(lines: readonly string[], count: number): boolean {
  const rest = /^\W*(?:(?:and|plus)\s+)?(\d+)\s+(?:more|other|further)\b/i.exec(lines.at(-1) ?? '')?.[1];
  return Number(rest) === count - lines.length + 1;
}

function listed(changes: ReadonlyMap<string, readonly Version[]>): ListedChange[] {
  return [...changes].map(([text, versions]) => ({ text, versions }));
}
