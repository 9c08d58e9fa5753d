import { type Instance, type Preflight, preflightOf } from '../checks/checks.js';
import type { LineFacts } from '../instance/forecast/hops.js';
import { knownEdition } from '../instance/ledger.js';
import { layLine } from '../instance/release-line.js';
import type { ReleaseSafetyIndex } from '../release-safety/parse-index.js';
import { releasesToVerify } from '../release-safety/reconcile.js';
import type { Span } from '../release-safety/span.js';
import type { KnownIssueOptions } from './options.js';
import type { LoadArtifacts } from './read-artifacts.js';
import { loadLine } from './release-line.js';

/**
 * What the facts of an instance say to upgrades along a span. Loads the artifacts of the span, and those before it that
 * show what the instance has migrated.
 */
export async function seeInstance(
  seen: Omit<Instance, 'begin'>,
  span: Span,
  load: LoadArtifacts,
): Promise<{ readonly known: LineFacts; readonly preflightOf: (span: Span) => Preflight }> {
  const { index, facts } = seen;
  const line = await loadLine(index, span, load, facts.ledger);
  const instance = { ...seen, begin: line.before[0]?.version ?? span.from };
  return {
    known: { line, edition: knownEdition(facts), facts },
    preflightOf: (asked) => preflightOf(instance, asked),
  };
}

/** What the artifacts of a span say of its migrations, without facts of an instance. */
export async function seeReleases(
  index: ReleaseSafetyIndex,
  span: Span,
  load: LoadArtifacts,
  { fact }: Pick<KnownIssueOptions, 'fact'>,
): Promise<LineFacts> {
  const outcomes = await load(releasesToVerify(index, span));
  const edition = fact?.get('edition');
  return {
    line: layLine(index, span, span.from, outcomes),
    edition: edition === 'community' || edition === 'enterprise' ? edition : undefined,
    facts: {},
  };
}
