import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../../cli/context.js';
import { declarationOf } from '../../cli/declare.js';
import { currentVersion } from '../../cli/options.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { isUrlOrTemplate } from '../../read/publisher/publisher-urls.js';
import { baseOf, refusalOf } from './base.js';
import type { Filling } from './filling.js';
import { settingsInForce } from './in-force.js';
import type { Settings } from './read.js';

/** Lets settings decide what neither command line nor environment does, before any command. */
export async function fillFromSettings(
  command: Command,
  context: Pick<CommandContext, 'env' | 'stdin' | 'stderr'>,
): Promise<void> {
  const { env } = context;
  const given = command.opts();
  if (given.sql === true || given.grants === true) return;
  if (baseOf(given, env) !== undefined) {
    const { refusalOfGiven } = await import('./given-sources.js');
    command.setOptionValue('sourceRefused', await refusalOfGiven(evidenceNamed(command, env), given, env));
  }
  const inForce = await settingsInForce(given, env);
  if (inForce === undefined) return;
  const { settings, base } = inForce;
  const { startFilling } = await import('./filling.js');
  const filling = startFilling(command, inForce);
  const { sources, used } = filling;

  await fillVersions(filling, settings, context);
  fillOptions(filling, settings, env);
  fillFacts(filling, settings);
  if (command.name() === 'upgrade-plan') fillDeploymentOfPlan(filling, settings);
  else fillDeployment(filling, settings);

  // Two files are a change without a commit before it: what it may not accept itself is not known.
  if (filling.has('accept') && (base !== undefined || given.after === undefined)) {
    const { acceptancesIn } = await import('./read.js');
    command.setOptionValue('settingsAccept', acceptancesIn(settings));
    filling.isUsed ||= settings.accept !== undefined;
  }
  command.setOptionValue('settingsPins', inForce.pins);
  command.setOptionValue('settingsIgnore', inForce.ignore);
  filling.isUsed ||= command.name() === 'pin-check' && (settings.pins ?? settings.ignore) !== undefined;
  if (base !== undefined && sources.length > 0) {
    const files = sources.map((path) => (isUrlOrTemplate(path) ? path : resolve(path)));
    const { refusedSource } = await import('./given-sources.js');
    const refusal = await refusalOf(files, base, env);
    if (refusal !== undefined) command.setOptionValue('sourceRefused', refusedSource(refusal));
  }
  if (!filling.isUsed) return;
  command.setOptionValue('settingsUsed', used.join(', '));
  if (!namesItself(command)) context.stderr.write(`Settings: ${used.join(', ')}\n`);
}

/** The options that name evidence, and the variable that stands for one. */
const namesEvidence: Readonly<Record<string, string | undefined>> = {
  index: 'LIGHTSPAN_INDEX',
  knownIssues: 'LIGHTSPAN_KNOWN_ISSUES',
  facts: undefined,
  artifactUrl: undefined,
};

/** Where the command line and the environment say that evidence is. */
function evidenceNamed(command: Command, env: CommandContext['env']): readonly string[] {
  return Object.entries(namesEvidence)
    .filter(([name]) => command.options.some((option) => option.attributeName() === name))
    .flatMap(([name, variable]) => {
      const given: readonly string[] = [command.getOptionValue(name) ?? []].flat();
      const ofVariable = (variable && env[variable]) || [];
      // An index replaces that of the environment; known issues are read beside it.
      return name === 'index' && given.length > 0 ? given : [...given, ofVariable].flat();
    });
}

/** Each by what the declaration of the option says of its setting. */
function fillOptions(
  { command, set, isGiven }: Filling,
  settings: Settings,
  env: CommandContext['env'],
): void {
  const left = {
    ...settings,
    ...(hasNoSuchTarget(command, settings) ? { to: undefined } : {}),
    ...(command.getOptionValue('format') === 'junit' ? { deploy: undefined } : {}),
  };
  const declared = command.options.map((option) => ({
    name: option.attributeName(),
    ...declarationOf(option),
  }));
  // Settings may give what another option needs.
  const isLast = ({ needs }: { readonly needs?: readonly string[] }) => Number(needs !== undefined);
  for (const { name, setting, needs = [] } of declared.toSorted((a, b) => isLast(a) - isLast(b))) {
    const isDecided = setting?.variable !== undefined && Boolean(env[setting.variable]);
    if (setting === undefined || isDecided || (needs.length > 0 && !isGiven(...needs))) continue;
    set(name, Reflect.get(left, name), setting.unless);
  }
}

/** Where the upgrade begins, what it should reach, and which pin is moved. */
async function fillVersions(
  filling: Filling,
  settings: Settings,
  { env, stdin }: Pick<CommandContext, 'env' | 'stdin'>,
): Promise<void> {
  const { command, set, isGiven } = filling;
  const { pins = [] } = settings;
  const name = command.name();
  const places = async () =>
    pins.length === 0 ? [] : (await import('./pins.js')).placesOfPins(pins, filling.folder);

  const running = ['instance', 'from', 'fromFile', 'fromDatabase'];
  set('instance', settings.instance, currentVersion.instance.setting.unless);
  if (filling.has('fromFile') && !isGiven(...running)) set('fromFile', await places());
  if (name === 'upgrade-bump' && !isGiven('file')) set('file', await places());
  if (name === 'upgrade-verify' && !isGiven('version') && pins.length > 0) {
    const { readAgreeingPins } = await import('../../pins/places/agreeing.js');
    const giveOtherwise = 'Give the version that was deployed with --version instead.';
    const request = { stdin, env, tagSuffix: settings.tagSuffix, giveOtherwise, option: 'pins' };
    set('version', (await readAgreeingPins((await places()).map(filling.near), request))[0].version);
  }
  if (hasNoSuchTarget(command, settings) && !isGiven('to', 'toFile')) {
    filling.used.push('latest instead of latest-rolling, which a check does not have');
    filling.isUsed = true;
  }
}

/** A check knows no route, and so not how far it rolls. */
function hasNoSuchTarget(command: Command, { to }: Settings): boolean {
  return command.name() === 'upgrade-check' && to === 'latest-rolling';
}

/** What is stated of the instance: a fact that the command line states too, only there. */
function fillFacts({ command, set }: Filling, { facts = {} }: Settings): void {
  const stated = command.getOptionValue('fact') ?? new Map();
  const unstated = Object.entries(facts).filter(([fact]) => !stated.has(fact));
  const texts = unstated.map(([fact, value]) => `${fact}=${value}`);
  set('fact', texts, []);
}

/** What a plan writes the steps for: of Helm and compose, the one that is deployed with. */
function fillDeploymentOfPlan({ command, set, isGiven, near, shown }: Filling, settings: Settings): void {
  const tool = command.getOptionValue('deploy');
  const { helm, compose } = ofOneTool(settings, tool);
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
}

/** What the other commands see of the deployment. */
function fillDeployment({ set, isGiven }: Filling, settings: Settings): void {
  const { helm, compose } = ofOneTool(settings, settings.deploy);
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

function ofOneTool({ helm, compose }: Settings, tool: string | undefined) {
  const isOfCompose = tool === 'compose' || (tool === undefined && helm === undefined);
  return { helm: (isOfCompose ? undefined : helm) ?? {}, compose: (isOfCompose ? compose : undefined) ?? {} };
}

/** Refuses some of the files of a deployment: a command with these alone would deploy another one. */
function requireAll(given: readonly string[] = [], files: readonly string[] = [], shown: string): void {
  const isNamed = (file: string) => given.some((other) => resolve(other) === resolve(file));
  const left = files.filter((file) => !isNamed(file));
  if (left.length === 0 || left.length === files.length) return;
  throw new LightspanError('usage', `${shown} also names ${left.join(', ')}, besides ${given.join(', ')}`, {
    hint: 'Name all files of the deployment in order, or none; --no-settings plans for those you give.',
  });
}

/** The answers that name settings themselves. */
function namesItself(command: Command): boolean {
  const { json, format } = command.opts();
  if (command.name() === 'upgrade-check') return json !== true && format !== 'json';
  return ['upgrade-plan', 'upgrade-preflight', 'upgrade-report', 'pin-check'].includes(command.name());
}
