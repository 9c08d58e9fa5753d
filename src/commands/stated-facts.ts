import { type FactName, type FactValue, readFact } from '../facts/fact-names.js';
import type { Pin } from '../sources/pinned-version.js';
import type { KnownIssueOptions } from './options.js';

/** What a command line says of an instance besides `--fact`. */
interface Said extends Pick<KnownIssueOptions, 'fact'> {
  readonly deploy?: 'helm' | 'compose';
  readonly migrationJob?: true;
  readonly chartVersion?: string;
}

/**
 * The facts that a command line states: by `--fact`, by the flags of a deployment, and by the file that pins the running
 * version, because a compose file is deployed by compose.
 */
export function statedFacts(
  { fact = new Map(), deploy, migrationJob, chartVersion }: Said,
  pinned: readonly Pin[] = [],
): ReadonlyMap<FactName, FactValue> {
  const isCompose = pinned.length > 0 && pinned.every(({ service }) => service !== undefined);
  const by = deploy ?? (isCompose ? 'compose' : undefined);
  const chart = chartVersion === undefined ? undefined : readFact('chart-version', chartVersion);
  return new Map<FactName, FactValue>([
    ...(by === undefined ? [] : [['deployed-by', by] as const]),
    ...fact,
    ...(migrationJob === true ? [['migration-job', 'on'] as const] : []),
    ...(chart?.ok === true ? [['chart-version', chart.value] as const] : []),
  ]);
}
