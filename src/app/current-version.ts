import { type CommandContext, packageVersion } from '../cli/context.js';
import type { CurrentVersionOptions, KnownIssueOptions, SourceOptions } from '../cli/options.js';
import type { Version } from '../core/field-schemas.js';
import { LightspanError } from '../core/lightspan-error.js';
import { type FactName, type FactValue, readFact } from '../instance/facts/fact-names.js';
import type { Pin } from '../pins/yaml/pin-at.js';

export interface CurrentVersion {
  readonly version: Version;
  readonly source: string;
  readonly url?: string;
  /** The pins from `--from-file`, in the order of the options; empty if the version was found in another way. */
  readonly pinned: readonly Pin[];
}

/**
 * The running version: given, requested from the instance, or read from the file that pins it.
 *
 * @param mayBeInDatabase whether the command has `--from-database`, too
 */
export async function findCurrentVersion(
  options: CurrentVersionOptions & Pick<SourceOptions, 'timeout' | 'allowHttp'>,
  context: CommandContext,
  mayBeInDatabase = false,
): Promise<CurrentVersion> {
  const { from, instance, fromFile, tagSuffix } = options;
  const ways = [from, instance, fromFile].filter((way) => way !== undefined).length;
  if (ways !== 1) {
    const how = ways === 0 ? 'not given' : 'given in more than one way';
    throw new LightspanError('usage', `the running version is ${how}`, {
      hint: mayBeInDatabase
        ? 'Give one of --from <version>, --instance <url>, --from-file <file> and --from-database (from the ' +
          'database or the facts).'
        : 'Give one of --from <version>, --instance <url> and --from-file <file>.',
    });
  }
  if (from !== undefined) return { version: from, source: '--from', pinned: [] };
  if (instance !== undefined) {
    const { healthUrl, parseInstanceAddress, readRunningVersion } = await import(
      '../collect/running-instance.js'
    );
    const address = parseInstanceAddress(instance);
    const version = await readRunningVersion({
      instance: address,
      env: context.env,
      userAgent: `lightspan/${packageVersion}`,
      timeoutMs: options.timeout,
      allowHttp: options.allowHttp === true,
    });
    return { version, source: String(healthUrl(address)), url: String(address), pinned: [] };
  }
  const { nameOfPin } = await import('../pins/yaml/pinned-version.js');
  const { readAgreeingPins } = await import('../pins/places/agreeing.js');
  const pinned = await readAgreeingPins(fromFile ?? [], {
    stdin: context.stdin,
    env: context.env,
    tagSuffix,
  });
  return { version: pinned[0].version, source: pinned.map(nameOfPin).join(', '), pinned };
}

interface StatedFacts extends Pick<KnownIssueOptions, 'fact'> {
  readonly deploy?: 'helm' | 'compose';
  readonly migrationJob?: true;
  readonly chartVersion?: string;
}

/** The facts that a command line states, also by the file that pins: a compose file is deployed by compose. */
export function statedFacts(
  { fact = new Map(), deploy, migrationJob, chartVersion }: StatedFacts,
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
