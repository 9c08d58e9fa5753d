import { resolve } from 'node:path';
import { gateFormats, hasSteps } from '../../answer/formats/registry.js';
import type { Env } from '../../core/common/env.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { optionSettings } from '../../question/option-settings.js';
import type { GivenOptions } from '../../question/settings.js';
import { type Filling, type NearPath, startFilling } from './filling.js';
import type { Settings } from './read.js';

/** The look-ups in files that filling options needs. */
export interface SettingsLookups {
  readonly env: Env;
  /** The file of the settings, as it is shown. */
  readonly shown: string;
  readonly near: NearPath;
  /** The places that pins name, from the folder of the settings. */
  readonly placesOf: (pins: readonly string[]) => Promise<readonly string[]>;
  /** The version that all of these places pin. */
  readonly versionAt: (places: readonly string[]) => Promise<string>;
}

/**
 * Lets settings decide what neither command line nor environment does. It changes nothing and reads nothing but by the
 * lookups: what it returns are the values to add.
 */
export async function fillOptions(
  command: GivenOptions,
  settings: Settings,
  lookups: SettingsLookups,
): Promise<Filling> {
  const filling = startFilling(command, lookups.shown, lookups.near);
  await fillVersions(filling, command, settings, lookups);
  fillByDeclaration(filling, command, settings, lookups.env);
  fillFacts(filling, settings);
  // For a plan, `--deploy` is the tool that its steps use.
  if (filling.has('deploy')) fillDeploymentOfSteps(filling, settings, lookups.shown);
  else fillDeployment(filling, settings);
  filling.isUsed ||= filling.has('pin') && (settings.pins ?? settings.ignore) !== undefined;
  return filling;
}

/** Fills every option whose declaration names a setting. */
function fillByDeclaration(
  { set, isGiven, valueNow }: Filling,
  { options }: GivenOptions,
  settings: Settings,
  env: SettingsLookups['env'],
): void {
  const format = valueNow('format');
  const isWithoutSteps = gateFormats.some((name) => name === format && !hasSteps(name));
  const left = isWithoutSteps ? { ...settings, deploy: undefined } : settings;
  // Options that need another option come last: settings may give the one that is needed.
  const inOrder = options.toSorted((a, b) => Number(a.needs.length > 0) - Number(b.needs.length > 0));
  for (const { name, setting, needs } of inOrder) {
    const isDecided = setting?.variable !== undefined && Boolean(env[setting.variable]);
    if (setting === undefined || isDecided || (needs.length > 0 && !isGiven(...needs))) continue;
    const text = Reflect.get(left, name);
    if (text !== setting.lacking || text === undefined) set(name, text, setting.unless);
  }
}

/** Fills the running version, the target, and the pin to move. */
async function fillVersions(
  filling: Filling,
  { options }: GivenOptions,
  settings: Settings,
  lookups: SettingsLookups,
): Promise<void> {
  const { set, has, isGiven, near, valueNow } = filling;
  const { pins = [], to } = settings;
  const places = async () => (pins.length === 0 ? [] : lookups.placesOf(pins));

  set('instance', settings.instance, optionSettings.instance.unless);
  if (has('fromFile') && !isGiven('instance', 'from', 'fromFile', 'fromDatabase')) {
    set('fromFile', await places());
  }
  if (has('file') && !isGiven('file')) set('file', await places());
  if (has('version') && !isGiven('version') && pins.length > 0) {
    set('version', await lookups.versionAt((await places()).map(near)));
  }
  const lacks = options.some(({ name, setting }) => name === 'to' && setting?.lacking === to);
  if (to !== undefined && lacks && !isGiven('to', 'toFile')) {
    filling.remarks.push(`${String(valueNow('to'))} instead of ${to}, which a check does not have`);
    filling.isUsed = true;
  }
}

/**
 * Fills the stated facts. A fact that the command line states too is taken from there. What deploys is one of them, so that
 * `--from` alone does not turn a compose project into one that can roll. Not for a command that looks at the deployment or
 * writes steps for it, nor beside files that the command line names: those show it.
 */
function fillFacts({ set, valueNow, has, isGiven }: Filling, { facts = {}, deploy }: Settings): void {
  const stated = valueNow('fact');
  const isStated = (fact: string) => stated instanceof Map && stated.has(fact);
  const isSeen = has('deploy') || has('manifests') || isGiven('facts', 'fromFile');
  const all = { ...(deploy === undefined || isSeen ? {} : { 'deployed-by': deploy }), ...facts };
  const unstated = Object.entries(all).filter(([fact]) => !isStated(fact));
  const texts = unstated.map(([fact, value]) => `${fact}=${value}`);
  set('fact', texts, []);
}

/** Fills the tool that the steps of a plan are for, Helm or compose, with its options. */
function fillDeploymentOfSteps(filling: Filling, settings: Settings, shown: string): void {
  const { set, isGiven, near, valueNow } = filling;
  const tool = valueNow('deploy');
  const { helm, compose } = ofOneTool(settings, tool);
  for (const [name, files] of Object.entries({ values: helm.values, compose: compose.files })) {
    requireAll(valueNow(name), files?.map(near), shown);
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

/** Fills the deployment options of all commands that write no steps. */
function fillDeployment({ set, isGiven }: Filling, settings: Settings): void {
  const { helm, compose } = ofOneTool(settings, settings.deploy);
  if (!isGiven('facts', 'manifests', 'kubernetes', 'compose', 'values')) {
    set('compose', compose.files);
    set('composeEnvFile', compose.envFiles);
    if ((helm.namespace ?? helm.context) !== undefined) set('kubernetes', 'true', ['offline']);
    if (isGiven('kubernetes')) set('context', helm.context);
  }
  // Neither a cluster nor rendered manifests show the values of the chart: those are still these.
  if (!isGiven('facts', 'compose', 'values')) set('values', helm.values);
  if (isGiven('kubernetes', 'manifests')) {
    set('namespace', helm.namespace);
    set('release', helm.release);
  }
}

function ofOneTool({ helm, compose }: Settings, tool: unknown) {
  const isOfCompose = tool === 'compose' || (tool === undefined && helm === undefined);
  return { helm: (isOfCompose ? undefined : helm) ?? {}, compose: (isOfCompose ? compose : undefined) ?? {} };
}

/** Refuses a command line that names only some files of the deployment: its commands would deploy something else. */
function requireAll(value: unknown, files: readonly string[] = [], shown: string): void {
  const named: readonly string[] = Array.isArray(value) ? value : [];
  const isNamed = (file: string) => named.some((namedFile) => resolve(namedFile) === resolve(file));
  const left = files.filter((file) => !isNamed(file));
  if (left.length === 0 || left.length === files.length) return;
  throw new LightspanError('usage', `${shown} also names ${left.join(', ')}, besides ${named.join(', ')}`, {
    hint: 'Name all files of the deployment in order, or none; --no-settings plans for those you give.',
  });
}
