import { callsLightdash, type Entry, type IsNear, textOf } from '../entries.js';
import { isNameOfAnother } from '../names/other-programs.js';
import {
  fetched,
  namesLightdash,
  referenceIn,
  saysRelease,
  versionForm,
  withoutClient,
  wordsOf,
} from '../names/reference.js';
import type { Uses } from '../uses/uses.js';
import { listsCharts } from '../yaml/chart-parts.js';
import { isMisspeltForKustomize } from '../yaml/other-readings.js';
import type { About } from './about-file.js';
import { isExpression, isOfAnother } from './of-another.js';
import { deployKeys, harmlessKeys, isAssigned, isOfClient, isPlace, namesIn } from './tells.js';

/** What stands around an entry. */
export interface Surroundings {
  readonly isNear: IsNear;
  readonly isForeign: (entry: Entry) => boolean;
  /** Whether something in its block, as Terraform has them, speaks of Lightdash. */
  readonly isInOwnBlock: (entry: Entry) => boolean;
}

export function mayDecide(
  file: string,
  entry: Entry,
  { reference, isUsed: isUsedFile, isOwn, takesFrom, leads, replaces }: About,
  uses: Uses,
  { isNear, isForeign, isInOwnBlock }: Surroundings,
): boolean {
  const { key, value, path, names, document, object = '' } = entry;
  const text = withoutClient(textOf(entry));
  if (isMisspeltForKustomize(file, path[0] ?? '')) return true;
  if (isNoRelease(file, entry)) return false;
  if (listsCharts.test(file) && isOfWholeChart(path) && !takesFrom.has('Version')) return false;
  const [kind = '', name = ''] = object.split('/');
  const isNamedSo = namesLightdash(name) && !isNameOfAnother(name) && !ofData.test(name);
  const isLinked =
    isNamedSo || [file, ...path, ...names].some(namesLightdash) || (document === undefined && isNear(entry));
  if (key === 'version' && /^(?:module|provider) /.test(path[0] ?? '') && !isInOwnBlock(entry)) return false;
  const isObject = uses.isObject(object);
  const isUsed = isUsedFile || isObject;
  const isInside = isNamedSo || names.some((one) => callsLightdash.test(one));
  const isFirst =
    isInside && /(?:^|\.)container(?:s|Definitions)\.(?:0|[a-z][\w-]*)\.image$/i.test(path.join('.'));
  const isPatched = (leads || isUsed) && key === 'value' && /\/image$/.test(names.at(-1) ?? '');
  const isCalledSo =
    isOwn ||
    isObject ||
    isFirst ||
    isPatched ||
    uses.isService(file, [...path.slice(-2, -1), ...names.slice(-2)]);
  const isSource = isNamedSo && imageKinds.test(kind) && path.at(-2) === 'from';
  if (isOfAnother(withWholeImage(entry, takesFrom), isLinked, isCalledSo || isSource)) return false;
  if (isSource && key === 'name') return true;
  if (isPatched || ((leads || isUsed) && isOfAnyImage(entry))) return true;
  if (leads && replaces && path.includes('literals') && versionForm.test(value)) return true;
  if (isCalledSo && /image$/i.test(key) && value !== '') return true;
  if (isNamedSo && deployers.test(kind) && fetchKeys.test(key)) return true;
  if (referenceIn(text) === 'release') return true;
  if (namesIn(text).some((name) => takesFrom.has(name) && (name === key || isAssigned(text, name))))
    return true;
  const own = withoutClient(value).replaceAll(requirement, '');
  const isRelease = versionForm.test(own) || /sha256:[0-9a-f]{8}/.test(own);
  const isDefault = /^(?:default|value)$/i.test(key) && takesFrom.has(path.at(-2) ?? '');
  if (isRelease && (isDefault || path.slice(0, -1).some(uses.isAlias))) return true;
  if (isRelease && takesFrom.has(names.at(-1)?.replace(/^\$+/, '') ?? '')) return true;
  if (!isObject && isForeign(entry)) return false;
  const saysWhich = path.some((step) => deployKeys.test(step)) || commands.test(text);
  if (saysWhich && (leads || (reference !== undefined && isNear(entry)))) return true;
  if (isRelease && uses.runsOne(file, own)) return true;
  if ((isPlace(entry) || commands.test(text)) && uses.leadsToOne(file, own)) return true;
  if (uses.saysHow(text)) return true;
  const says = wordsOf(key).some((word) => saysRelease.has(word));
  if (isUsed || reference === 'release') {
    const isSaid = says && own !== '' && !/^["']?\d+(?:\.\d+)?["']?,?$/.test(own);
    const isAlias = document !== undefined && key === '<<';
    const isFetched = isObject && fetchKeys.test(key);
    return (
      isRelease ||
      isSaid ||
      isAlias ||
      isFetched ||
      saysWhich ||
      uses.leadsToOne(file, own) ||
      namesFile(path, own)
    );
  }
  return reference === 'name' && isLinked && isRelease && isKept(entry, own);
}

/** The version of a chart itself, which a template may write into an image, and the checksum of its list. */
function isOfWholeChart(path: readonly string[]): boolean {
  return path.length === 1 && (path[0] === 'version' || path[0] === 'digest');
}

/** What kustomize sets of each image that matches an expression. */
function isOfAnyImage({ key, repository = '' }: Entry): boolean {
  return /^(?:newTag|newName|digest|tagSuffix)$/.test(key) && isExpression(repository);
}

const imageWithTag = /(?:^|[\s"'=])[\w.-]+(?::\d+)?(?:\/[\w.-]+)+:v?\d/;

/** Whether an entry says no release by its key, or by where it stands. */
function isNoRelease(file: string, { key, path }: Entry): boolean {
  const isHarmless = harmlessKeys.test(key) || path.some((step) => noRelease.test(step));
  return isHarmless || isOfClient(key) || isOfPackages(file, path);
}

/** Whether a release is kept there: by a name that says so, or in an address from which something is fetched. */
function isKept({ key, path, names, document }: Entry, own: string): boolean {
  const around = [key, path.at(-2) ?? '', ...names.slice(-1), ...(document === undefined ? [own] : [])];
  return (
    fetched.test(own) ||
    imageWithTag.test(own) ||
    around.some((one) => wordsOf(one).some((word) => saysRelease.has(word)))
  );
}

const noRelease = /^labels$|^required_providers\b/;

const commands =
  /^FROM\s|\b(?:docker|podman|nerdctl|helm|helmfile|kubectl|kustomize|terraform|tofu|nomad|skaffold|ansible-playbook|make)\b.*\s(?:-[fk]|--?(?:file|values|env-file|var-file|profile|set\S*|version|tag|chart\S*))\b/;

/** An image whose name is put together in another file, of which only a part stands here, has no name here. */
function withWholeImage(entry: Entry, takesFrom: ReadonlySet<string>): Entry {
  const { key, repository = '/' } = entry;
  const isPart = takesFrom.has(key) && !repository.includes('/') && !isNameOfAnother(repository);
  return isPart ? { ...entry, repository: undefined } : entry;
}

/** A package of Python at its version. */
const requirement = /(?<![\w.-])(?![\w.-]*lightdash)[a-z][\w.-]*(?:\[[\w,]+\])?==\d[\w.]*/gi;
/** Objects of OpenShift that say `from` which image others are. */
const imageKinds = /^(?:ImageStream|DeploymentConfig|BuildConfig)$/;
/** Objects that deploy what they fetch, and what they fetch it by. */
const deployers = /^(?:Application|Kustomization|HelmRelease|HelmChart|OCIRepository|GitRepository|Bucket)$/;

const fetchKeys = /^(?:path|url|repoURL|chart|targetRevision|semver|branch|commit)$/;

const ofData = /db|database|backup/i;

/** In files of packages, the versions of libraries, and their own. */
function isOfPackages(file: string, path: readonly string[]): boolean {
  const [section = ''] = path;
  if (/(?:^|\/)(?:package|composer)\.json$/.test(file))
    return /[dD]ependencies$|^engines$/.test(section) || path.length === 1;
  return (
    /(?:^|\/)(?:pyproject|Cargo)\.toml$/.test(file) &&
    /^(?:project|package|dependencies|tool\.poetry)/.test(section)
  );
}

function namesFile(path: readonly string[], value: string): boolean {
  const key = path.findLast((one) => !/^\d+$/.test(one)) ?? '';
  return (
    (path.includes('include') ||
      /^(?:resources|bases|components|valueFiles|env_file|envs|files?)$/.test(key)) &&
    /^[\w.@/-]+$/.test(value) &&
    /[./]/.test(value)
  );
}
