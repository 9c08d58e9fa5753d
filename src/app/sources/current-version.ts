import type { Version } from '../../core/field-schemas.js';
import type { CommandContext } from '../../door/context.js';
import { type FactName, type FactValue, readFact } from '../../instance/facts/fact-names.js';
import type { Pin } from '../../pins/yaml/pin-at.js';
import type { StepsQuestion } from '../../question/route.js';
import type { StatedVersionQuestion } from '../../question/running-version.js';

export interface CurrentVersion {
  readonly version: Version;
  readonly source: string;
  readonly url?: string;
  /** The pins from `--from-file`, in the order of the options; empty if the version was found in another way. */
  readonly pinned: readonly Pin[];
}

/** The running version: given, requested from the instance, or read from the files that pin it. */
export async function findCurrentVersion(
  question: StatedVersionQuestion,
  { env, stdin }: Pick<CommandContext, 'env' | 'stdin'>,
): Promise<CurrentVersion> {
  if (question.by === 'version') return { version: question.version, source: '--from', pinned: [] };
  if (question.by === 'instance') {
    const { healthUrl, parseInstanceAddress, readRunningVersion } = await import(
      '../../gather/running-instance.js'
    );
    const address = parseInstanceAddress(question.address);
    const version = await readRunningVersion({
      instance: address,
      env,
      ...question.network,
    });
    return { version, source: String(healthUrl(address)), url: String(address), pinned: [] };
  }
  const { nameOfPin } = await import('../../pins/yaml/pinned-version.js');
  const { readAgreeingPins } = await import('../../pins/places/agreeing.js');
  const { files, tagSuffix } = question;
  const pinned = await readAgreeingPins(files, { stdin, env, tagSuffix });
  return { version: pinned[0].version, source: pinned.map(nameOfPin).join(', '), pinned };
}

/**
 * The facts that a person states, also by the file that pins (a compose file is deployed by compose), and by what steps
 * are for.
 */
export function statedFacts(
  stated: ReadonlyMap<FactName, FactValue>,
  pinned: readonly Pin[],
  steps?: StepsQuestion,
): ReadonlyMap<FactName, FactValue> {
  const { migrationJob = false, chartVersion = undefined } = steps?.kind === 'helm' ? steps : {};
  const isCompose = pinned.length > 0 && pinned.every(({ service }) => service !== undefined);
  const by = steps?.kind ?? (isCompose ? 'compose' : undefined);
  const chart = chartVersion === undefined ? undefined : readFact('chart-version', chartVersion);
  return new Map<FactName, FactValue>([
    ...(by === undefined ? [] : [['deployed-by', by] as const]),
    ...stated,
    ...(migrationJob ? [['migration-job', 'on'] as const] : []),
    ...(chart?.ok === true ? [['chart-version', chart.value] as const] : []),
  ]);
}
