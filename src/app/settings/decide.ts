import { dirname, resolve } from 'node:path';
import type { LightspanError } from '../../core/lightspan-error.js';
import type { CommandContext } from '../../door/context.js';
import { isUrlOrTemplate } from '../../gather/publisher/publisher-urls.js';
import { indexVariable, knownIssuesVariable } from '../../question/option-settings.js';
import {
  type GivenOptions,
  noSettings,
  type OptionValues,
  type SettingsOutcome,
} from '../../question/settings.js';
import { baseOf, refusalOf } from './base.js';
import type { SettingsLookups } from './fill.js';
import { namedInSettings, type SettingsInForce, type SettingsRequest, settingsInForce } from './in-force.js';

/** What the settings in force add to a command line: values of options, and everything that has no option. */
interface DecidedBySettings {
  readonly filled: OptionValues;
  readonly settings: SettingsOutcome;
}

/** Reads the settings in force, before any command, and says on standard error that they decided something. */
export async function decideBySettings(
  command: GivenOptions,
  world: Pick<CommandContext, 'env' | 'stdin' | 'stderr'>,
): Promise<DecidedBySettings> {
  const { values } = command;
  const { env } = world;
  if (values.sql === true || values.grants === true) return { filled: {}, settings: noSettings };
  const request = requestIn(values);
  const isOfChange = baseOf(request, env) !== undefined;
  const ofGiven = isOfChange ? await refusalOfNamed(command, request, env) : undefined;
  const inForce = await settingsInForce(request, env);
  if (inForce === undefined) return { filled: {}, settings: { ...noSettings, refused: ofGiven } };
  const { settings, base, pins, ignore = [], shown, isChanged = false } = inForce;
  const { fillOptions } = await import('./fill.js');
  const filling = await fillOptions(command, settings, lookupsOf(inForce, world));
  const { filled, sources, remarks, has } = filling;

  // `--before` and `--after` show a change without its base commit, so whether the settings are part of the change is
  // not known: they accept nothing.
  const accepts = has('accept') && (base !== undefined || values.after === undefined);
  const { acceptancesIn } = await import('./read.js');
  const accepted = accepts ? acceptancesIn(settings) : [];
  const files = sources.map((path) => (isUrlOrTemplate(path) ? path : resolve(path)));
  const refusal = base === undefined || files.length === 0 ? undefined : await refusalOf(files, base, env);
  const refused =
    refusal === undefined ? ofGiven : (await import('./given-sources.js')).refusedSource(refusal);
  const isUsed = isChanged || filling.isUsed || (accepts && settings.accept !== undefined);
  const used = isUsed ? [shown, ...remarks].join(', ') : undefined;
  if (used !== undefined && !command.namesSettings) world.stderr.write(`Settings: ${used}\n`);
  const namesDatabase = settings.database !== undefined;
  const { deploy: deployedBy } = settings;
  return { filled, settings: { used, refused, accepted, pins, ignored: ignore, namesDatabase, deployedBy } };
}

/** The options that name evidence, each with the environment variable that names some too. */
const namesEvidence: Readonly<Record<string, string | undefined>> = {
  index: indexVariable,
  knownIssues: knownIssuesVariable,
  facts: undefined,
  artifactUrl: undefined,
};

async function refusalOfNamed(
  command: GivenOptions,
  request: SettingsRequest,
  env: CommandContext['env'],
): Promise<LightspanError | undefined> {
  const { refusalOfSources } = await import('./given-sources.js');
  return refusalOfSources(evidenceNamed(command, env), request, env);
}

/** Where the command line and the environment say that evidence is. */
function evidenceNamed({ options, values }: GivenOptions, env: CommandContext['env']): readonly string[] {
  return Object.entries(namesEvidence)
    .filter(([name]) => options.some((option) => option.name === name))
    .flatMap(([name, variable]) => {
      const byOptions: readonly string[] = [values[name] ?? []].flat().map(String);
      const ofVariable = (variable && env[variable]) || [];
      // An index replaces that of the environment; known issues are read beside it.
      return name === 'index' && byOptions.length > 0 ? byOptions : [...byOptions, ofVariable].flat();
    });
}

/** The options of a command line that choose the settings. */
function requestIn(values: OptionValues): SettingsRequest {
  const text = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    settings: values.settings === false ? false : text('settings'),
    repo: text('repo'),
    base: text('base'),
    head: text('head'),
    preCommit: values.preCommit === true,
  };
}

function lookupsOf(
  inForce: SettingsInForce,
  { env, stdin }: Pick<CommandContext, 'env' | 'stdin'>,
): SettingsLookups {
  const { settings, file, shown } = inForce;
  return {
    env,
    shown,
    near: (path) => namedInSettings(inForce, path),
    placesOf: async (pins) => (await import('./pins.js')).placesOfPins(pins, dirname(file)),
    versionAt: async (places) => {
      const { readAgreeingPins } = await import('../../pins/places/agreeing.js');
      const giveOtherwise = 'Pass the version that was deployed with --version instead.';
      const request = { stdin, env, tagSuffix: settings.tagSuffix, giveOtherwise, option: 'pins' };
      return (await readAgreeingPins(places, request))[0].version;
    },
  };
}
