import { isNameOfRelease, namesLightdash, withoutClient } from '../names/reference.js';

export function isOfClient(key: string): boolean {
  return namesLightdash(key) && !namesLightdash(withoutClient(key));
}

export function namesIn(text: string): readonly string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}

/** Whether a text gives a name its value, also as a command does: `pulumi config set tag 1.2.3`. */
function isAssigned(text: string, name: string): boolean {
  return new RegExp(
    `\\b(?<!\\s--)${name}\\b["'\\]]*\\s*(?::|=(?!=)|\\?=)|\\bset\\w*\\s+(?:-\\S+\\s+)*${name}\\s|^${name}\\s+v?\\d+\\.\\d`,
  ).test(text);
}

/** Whether a text gives one of some names its value, also as a variable of the environment for a tool. */
export function givesOne(text: string, key: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  const [own, ownKey] = [text.replaceAll(forTools, ''), key.replace(forTools, '')];
  return (
    names.has(ownKey) ||
    namesIn(own).some((name) => names.has(name) && isAssigned(own, name)) ||
    [...own.replaceAll(steps, '.').matchAll(lastTwo)].some(([, pair = '']) => names.has(pair)) ||
    (own.match(/(?:[\w.-]+\/)+[\w.-]+/g) ?? []).some((path) => names.has(path))
  );
}

/** What leads to a name: `default['bi']['tag']`, `profile::bi::tag`. */
const steps = /["']?\]?\[["']|::/g;

/** The last two names of one that is given a value. */
const lastTwo = /(?<![\w-])([\w-]+\.[\w-]+)["'\]]*\s*(?::|=(?![=>]))/g;

/** The release that a command, or a map of one line, gives to one of some names, or to Lightdash, whatever else is in it. */
export function releaseGiven(text: string, names: ReadonlySet<string>): string | undefined {
  return [
    ...text.replaceAll(forTools, '').matchAll(/(?<![\w-])(\w+)["']?\s*[:=]\s*["']?v?\d+\.\d+\.\d[^\s"']*/g),
  ].find(([, name = '']) => names.has(name) || isNameOfRelease(name))?.[0];
}

/** What the names of variables of the environment begin with where they are for Terraform, Packer or Nomad. */
const forTools = /\b(?:TF|PKR|NOMAD)_VAR_/g;

/** What is no release, whatever the word in its key. */
export const harmlessKeys =
  /pull[_-]?(?:polic|secret)|passw(?:or)?d$|^(?:apiVersion|kubeVersion|schemaVersion|required_version|requiredVersion|manifestVersion|terraform_version|minVersion|engine_?version|plugin_?version|tls\w*|\$schema|packageManager)$/i;

/**
 * Keys that say which of several files or sources count, and which wins: as kustomize takes values of a chart,
 * `findings/kustomize-values-beside-the-chart-lose.sh`.
 */
export const deployKeys =
  /^(?:COMPOSE_\w+|profiles?|build|dockerfile|context|target|extends|inherits?|env_file|envFrom|valueFiles|valuesFrom|values_files|valuesFile|additionalValuesFiles|valuesMerge|substituteFrom|chartRef|sourceRef|channel|branch|ref|targetRevision|postRenderers)$/i;

/** Options of a command that say how much, and for which cluster. What `-p` is given besides a port may be anything. */
export const howAndWhere =
  /(?<=\s)(?:-p ?["']?(?:[\d.]+:)?\d+(?::\d+)?(?:\/\w+)?["']?(?=\s|$)|-m ?\d+\w?(?=\s|$)|--?(?:kubernetes-version|memory|cpus|publish|restart|network|timeout|wait-timeout|replicas)[ =]\S+)/g;

/** How much and how many, in a map or a call that is written in one line. */
const sizes =
  /\b(?:cpus?|(?:desired|min|max)?count|memory(?:Mi?B)?|replicas|ports?|instances|timeout|retries)["']?\s*[:=]\s*["']?\d+(?:\.\d+)?[a-z]*["']?(?=\s*(?:[,;)}\]]|$))/gi;

/** A text without what says how much and where. */
export function withoutHow(text: string): string {
  return text.replaceAll(howAndWhere, '').replaceAll(sizes, '');
}

/** The same text, in whichever quotes and with whichever spaces, and as make shows it or not. */
export function plain(text: string): string {
  return text
    .replace(/^@(?=\w+ )/, '')
    .replaceAll(/["'`,;]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
