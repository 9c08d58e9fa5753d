import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { isUrlOrTemplate } from '../../sources/publisher-urls.js';
import type { CommandContext } from '../context.js';
import { findSettings, leadsOut, nameOf, placeOf, type SettingsPlace } from './find.js';
import type { SettingsOptions } from './options.js';
import type { Settings } from './schema.js';

/** The settings of a command line; undefined without any. */
export function settingsOf({ settings }: SettingsOptions, folder?: string): SettingsPlace | undefined {
  if (settings === false) return undefined;
  return settings === undefined ? findSettings(folder) : placeOf(settings);
}

/**
 * Lets settings decide every option that neither the command line nor the environment does. Called before any command;
 * none knows of it.
 *
 * @throws {LightspanError} the errors of reading settings
 */
export async function fillFromSettings(
  command: Command,
  { env, stdin, stderr }: Pick<CommandContext, 'env' | 'stdin' | 'stderr'>,
): Promise<void> {
  const given = command.opts();
  if (given.sql === true || given.grants === true) return;
  const place = settingsOf(given, given.repo);
  if (place === undefined) return;
  const { loadSettings } = await import('./read.js');
  const { settings } = await loadSettings(place);
  const { isChanged, outside } = await fill(command, settings, place, { env, stdin });
  let isUsed = isChanged;
  if (command.options.some(({ long }) => long === '--accept')) {
    const { acceptedBefore, pathIn } = await import('./base.js');
    const isPinCheck = command.name() === 'pin-check';
    if (isPinCheck) {
      command.setOptionValue('settingsOfHead', { path: pathIn(place.root, place.file), settings });
    } else {
      command.setOptionValue('settingsAccept', await acceptedBefore(settings, place, { env, stderr }));
    }
    isUsed ||= isPinCheck || settings.accept !== undefined;
  }
  if (!isUsed) return;
  const isLink = leadsOut(place.file, place.root);
  const used = [place.shown, ...(isLink ? ['a link out of the repository'] : []), ...outside].join(', ');
  command.setOptionValue('settingsUsed', used);
  if (!namesItself(command)) stderr.write(`Settings: ${used}\n`);
}

/** The answers that name settings themselves. */
function namesItself(command: Command): boolean {
  const { json, format } = command.opts();
  if (command.name() === 'upgrade-check') return json !== true && format !== 'json';
  return ['upgrade-plan', 'upgrade-preflight', 'upgrade-report', 'pin-check'].includes(command.name());
}

/** Decides options, and says whether it did, and what of them leads out of the repository. */
async function fill(
  command: Command,
  settings: Settings,
  { file, root }: SettingsPlace,
  { env, stdin }: Pick<CommandContext, 'env' | 'stdin'>,
): Promise<{ readonly isChanged: boolean; readonly outside: readonly string[] }> {
  const { instance, pins, tagSuffix, to, deploy, helm = {}, compose = {}, facts = {} } = settings;
  const name = command.name();
  const folder = dirname(file);
  const outside: string[] = [];
  let isChanged = false;
  const has = (option: string) => command.options.some((one) => one.attributeName() === option);
  const isGiven = (...options: readonly string[]) =>
    options.some((option) => !['default', undefined].includes(command.getOptionValueSource(option)));
  const set = (attribute: string, texts: string | readonly string[] = [], adds = false) => {
    const option = command.options.find((one) => one.attributeName() === attribute && !one.negate);
    const values = [texts].flat();
    if (option === undefined || values.length === 0 || (isGiven(attribute) && !adds)) return;
    const before: unknown = isGiven(attribute) ? command.getOptionValue(attribute) : undefined;
    const read = values.reduce((all, value) => option.parseArg?.(value, all) ?? true, before);
    command.setOptionValueWithSource(attribute, read, 'settings');
    isChanged = true;
  };
  const near = (paths: string | readonly string[] = []) =>
    [paths].flat().map((path) => {
      if (isUrlOrTemplate(path)) return path;
      const whole = resolve(folder, path);
      if (leadsOut(whole.replace(/#.*$/s, ''), root)) outside.push(`${path} is outside the repository`);
      return nameOf(whole);
    });
  const setPaths = (attribute: string, paths: string | readonly string[] | undefined, adds = false) => {
    if (has(attribute) && (adds || !isGiven(attribute))) set(attribute, near(paths), adds);
  };
  const places = async () =>
    pins === undefined ? [] : near(await (await import('./pins.js')).placesOfPins(pins, folder));

  const isOffline = isGiven('offline');
  if (!isGiven('from', 'instance', 'fromFile', 'fromDatabase')) {
    if (instance !== undefined && !isOffline) set('instance', instance);
    else if (has('fromFile')) set('fromFile', await places());
  }
  if (name === 'upgrade-verify' && !isGiven('version') && pins !== undefined) {
    const { readAgreeingPins } = await import('../../sources/lightdash-places.js');
    const giveOtherwise = 'Give the version that was deployed with --version instead.';
    const asked = { stdin, tagSuffix, giveOtherwise, option: 'pins' };
    set('version', (await readAgreeingPins(await places(), asked))[0].version);
  }
  // A check knows no target that depends on what is safe: it keeps its own.
  if (!isGiven('toFile') && (name !== 'upgrade-check' || to !== 'latest-rolling')) set('to', to);
  if (!env.LIGHTSPAN_INDEX) setPaths('index', settings.index);
  setPaths('knownIssues', settings.knownIssues, true);
  const stated = command.getOptionValue('fact') ?? new Map();
  const unstated = Object.entries(facts).filter(([fact]) => !stated.has(fact));
  set(
    'fact',
    unstated.map(([fact, value]) => `${fact}=${value}`),
    true,
  );
  set('diskFree', settings.diskFree);
  if (command.getOptionValue('format') !== 'junit') set('deploy', deploy);
  if (name === 'upgrade-plan') {
    // A plan takes one: the last, which wins.
    if (command.getOptionValue('deploy') === 'helm') setPaths('values', helm.values?.slice(-1));
    if (command.getOptionValue('deploy') === 'helm') set('release', helm.release);
  } else if (!isGiven('facts', 'manifests', 'kubernetes', 'compose', 'values')) {
    if (deploy !== 'compose') setPaths('values', helm.values);
    else {
      setPaths('compose', compose.files);
      setPaths('composeEnvFile', compose.envFiles);
    }
    if (deploy !== 'compose' && (helm.namespace ?? helm.context) !== undefined && !isOffline) {
      set('kubernetes', 'true');
      set('context', helm.context);
    }
  }
  if (isGiven('kubernetes', 'manifests')) {
    set('namespace', helm.namespace);
    set('release', helm.release);
  }
  if (!isGiven('facts') && !isOffline) set('database', settings.database);
  if (!has('from') || isGiven('fromFile', 'toFile', 'deploy')) set('tagSuffix', tagSuffix);
  return { isChanged, outside };
}
