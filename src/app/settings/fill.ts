import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../../cli/context.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { isUrlOrTemplate } from '../../read/publisher/publisher-urls.js';
import { refusalOf } from './base.js';
import { leadsOut, nameOf, settingsInForce } from './in-force.js';

const paths = ['fromFile', 'file', 'index', 'knownIssues', 'values', 'compose', 'composeEnvFile'];

/** Lets settings decide what neither command line nor environment does, before any command. */
export async function fillFromSettings(
  command: Command,
  { env, stdin, stderr }: Pick<CommandContext, 'env' | 'stdin' | 'stderr'>,
): Promise<void> {
  const given = command.opts();
  if (given.sql === true || given.grants === true) return;
  const inForce = await settingsInForce(given, env);
  if (inForce === undefined) return;
  const { settings, file, root, shown, base, isChanged = false } = inForce;
  const { pins = [], to, deploy, facts = {} } = settings;
  const name = command.name();
  const folder = dirname(file);
  const used = [shown];
  const sources: string[] = [];
  let isUsed = isChanged;

  const has = (attribute: string) => command.options.some((one) => one.attributeName() === attribute);
  const isGiven = (...options: readonly string[]) =>
    options.some((option) => !['default', undefined].includes(command.getOptionValueSource(option)));
  const near = (path: string) => {
    if (isUrlOrTemplate(path)) return path;
    // What follows the file may be an expression, with slashes of its own.
    const [, name = '', place = ''] = /^([^#]*)(.*)$/s.exec(path) ?? [];
    const whole = resolve(folder, name);
    if (leadsOut(whole, root)) used.push(`${path} is outside the repository`);
    return `${nameOf(whole)}${place}`;
  };
  /** Sets an option, if the command has it and none of these is given. */
  const set = (
    attribute: string,
    texts: string | readonly string[] = [],
    unless: readonly string[] = [attribute],
  ) => {
    const option = command.options.find((one) => one.attributeName() === attribute && !one.negate);
    if (option === undefined || texts.length === 0 || isGiven(...unless)) return;
    const values = [texts].flat().map((text) => (paths.includes(attribute) ? near(text) : text));
    if (attribute === 'index' || attribute === 'knownIssues') sources.push(...values);
    let value: unknown = isGiven(attribute) ? command.getOptionValue(attribute) : undefined;
    try {
      for (const text of values) value = option.parseArg?.(text, value) ?? true;
    } catch (error) {
      const why = String(error).replace(/^\w+: (--\S+: )?/, '');
      throw new LightspanError('usage', `${shown}: ${option.long}: ${why}`, { cause: error });
    }
    command.setOptionValueWithSource(attribute, value, 'settings');
    isUsed = true;
  };
  const places = async () =>
    pins.length === 0 ? [] : (await import('./pins.js')).placesOfPins(pins, folder);

  const running = ['instance', 'from', 'fromFile', 'fromDatabase'];
  set('instance', settings.instance, [...running, 'offline']);
  if (has('fromFile') && !isGiven(...running)) set('fromFile', await places());
  if (name === 'upgrade-bump' && !isGiven('file')) {
    const [first, ...others] = await places();
    if (others.length === 0) set('file', first);
  }
  if (name === 'upgrade-verify' && !isGiven('version') && pins.length > 0) {
    const { readAgreeingPins } = await import('../../pins/places.js');
    const giveOtherwise = 'Give the version that was deployed with --version instead.';
    const request = { stdin, env, tagSuffix: settings.tagSuffix, giveOtherwise, option: 'pins' };
    set('version', (await readAgreeingPins((await places()).map(near), request))[0].version);
  }
  if (name !== 'upgrade-check' || to !== 'latest-rolling') set('to', to, ['to', 'toFile']);
  else if (!isGiven('to', 'toFile')) {
    used.push('latest in place of latest-rolling, which a check does not know');
    isUsed = true;
  }
  if (!env.LIGHTSPAN_INDEX) set('index', settings.index);
  set('knownIssues', settings.knownIssues, []);
  const stated = command.getOptionValue('fact') ?? new Map();
  const unstated = Object.entries(facts).filter(([fact]) => !stated.has(fact));
  const texts = unstated.map(([fact, value]) => `${fact}=${value}`);
  set('fact', texts, []);
  set('diskFree', settings.diskFree);
  set('failOn', settings.failOn);
  if (command.getOptionValue('format') !== 'junit') set('deploy', deploy);
  // Of two, the one that is deployed with.
  const tool = name === 'upgrade-plan' ? command.getOptionValue('deploy') : deploy;
  const isOfCompose = tool === 'compose' || (tool === undefined && settings.helm === undefined);
  const { helm = {}, compose = {} } = isOfCompose ? { compose: settings.compose } : { helm: settings.helm };
  if (name === 'upgrade-plan') {
    for (const [attribute, files] of Object.entries({ values: helm.values, compose: compose.files })) {
      requireAll(command.getOptionValue(attribute), files?.map(near), shown);
    }
    if (tool === 'helm') {
      set('values', helm.values);
      set('release', helm.release);
    }
    if (tool === 'compose' && !isGiven('compose')) {
      set('compose', compose.files);
      set('composeEnvFile', compose.envFiles);
    }
  } else {
    if (!isGiven('facts', 'manifests', 'kubernetes', 'compose', 'values')) {
      set('values', helm.values);
      set('compose', compose.files);
      set('composeEnvFile', compose.envFiles);
      if ((helm.namespace ?? helm.context) !== undefined) set('kubernetes', 'true', ['offline']);
      if (isGiven('kubernetes')) set('context', helm.context);
    }
    if (isGiven('kubernetes', 'manifests')) {
      set('namespace', helm.namespace);
      set('release', helm.release);
    }
  }
  set('database', settings.database, ['database', 'facts', 'offline']);
  if (!has('from') || isGiven('fromFile', 'toFile', 'deploy')) set('tagSuffix', settings.tagSuffix);

  // Two files are a change without a commit before it: what it may not accept itself is not known.
  if (has('accept') && (base !== undefined || given.after === undefined)) {
    const { acceptancesIn } = await import('./read.js');
    command.setOptionValue('settingsAccept', acceptancesIn(settings));
    isUsed ||= settings.accept !== undefined;
  }
  command.setOptionValue('settingsPins', inForce.pins);
  command.setOptionValue('settingsIgnore', inForce.ignore);
  if (base !== undefined && sources.length > 0) {
    const files = sources.map((path) => (isUrlOrTemplate(path) ? path : resolve(path)));
    command.setOptionValue('settingsRefused', await refusalOf(files, base, env));
  }
  if (!isUsed) return;
  command.setOptionValue('settingsUsed', used.join(', '));
  if (!namesItself(command)) stderr.write(`Settings: ${used.join(', ')}\n`);
}

/** Refuses some of the files of a deployment: a command with these alone would deploy another one. */
function requireAll(given: readonly string[] = [], files: readonly string[] = [], shown: string): void {
  const isNamed = (file: string) => given.some((one) => resolve(one) === resolve(file));
  const left = files.filter((file) => !isNamed(file));
  if (left.length === 0 || left.length === files.length) return;
  throw new LightspanError('usage', `${shown} names ${left.join(', ')} too, beside ${given.join(', ')}`, {
    hint: 'Name all files of the deployment, in their order, or none; --no-settings plans for those that are given.',
  });
}

/** The answers that name settings themselves. */
function namesItself(command: Command): boolean {
  const { json, format } = command.opts();
  if (command.name() === 'upgrade-check') return json !== true && format !== 'json';
  return ['upgrade-plan', 'upgrade-preflight', 'upgrade-report', 'pin-check'].includes(command.name());
}
