import { isCompanion, namesLightdash } from '../../core/lightdash-name.js';
import type { Entry } from '../entries.js';
import { withoutClient } from '../names.js';

/** Whether an entry says no release by its key, or by where it stands, whatever words it has. */
export function saysNoRelease(file: string, { key, path, names }: Entry): boolean {
  return (
    harmlessKeys.test(key) ||
    path.some((step) => noRelease.test(step)) ||
    filters.test(path.join('.')) ||
    isOfClient(key) ||
    isOfPackages(file, path) ||
    isOfModule(path, key) ||
    names.some((name) => name.startsWith('# ') && isCompanion(name)) ||
    (names.some((name) => setsUpTool.test(name)) && !names.some((name) => namesLightdash(name)))
  );
}

/** What is no release, whatever the word in its key. */
const harmlessKeys =
  /pull[_-]?(?:polic|secret)|passw(?:or)?d|^(?:apiVersion|kubeVersion|schemaVersion|required_version|requiredVersion|manifestVersion|terraform_version|minVersion|engine_?version|maintenance_?version|plugin_?version|tls\w*|\$schema|packageManager|description|title|help|generated|lastmodified|mac)$/i;

/** Blocks that say no release: labels, annotations, ports, which provider, and what encrypts a file. */
const noRelease = /^(?:labels|annotations|ports|sops|encryptedData|enum|examples?):?$|^required_providers\b/;

/** For which files a pipeline of GitHub or GitLab runs, and what its cache is called. */
const filters = /\b(?:(?:push|pull_request\w*)\.paths|(?:rules\.\d+|only|except)\.changes|cache\.key)\b/;

/** An action that sets up a tool, whose inputs say which one. */
const setsUpTool = /^[\w-]+\/setup-[\w-]+@/;

function isOfClient(key: string): boolean {
  return namesLightdash(key) && (!namesLightdash(withoutClient(key)) || isCompanion(key));
}

/** The version of a module or a provider of Terraform. */
function isOfModule([block = '']: readonly string[], key: string): boolean {
  return key === 'version' && /^(?:module|provider|terraform)\b/.test(block);
}

/** In files of packages, the versions of libraries, and their own. */
function isOfPackages(file: string, path: readonly string[]): boolean {
  const [section = ''] = path;
  if (/(?:^|\/)(?:package|composer)\.json$/.test(file))
    return (/[dD]ependencies$|^engines$/.test(section) && !path.some(namesLightdash)) || path.length === 1;
  return (
    /(?:^|\/)(?:pyproject|Cargo)\.toml$/.test(file) &&
    /^(?:project|package|dependencies|tool\.poetry)/.test(section)
  );
}
