import { posix } from 'node:path';
import { callsLightdash, type Entry, type IsNear, isToldByComment, textOf } from '../entries.js';
import { isNameOfAnother } from '../names/other-programs.js';
import {
  fetched,
  namesLightdash,
  namesOwnPackage,
  referenceIn,
  saysRelease,
  versionForm,
  withoutClient,
  wordsOf,
} from '../names/reference.js';
import { isValuesFile } from '../pin-pattern.js';
import { isKustomization } from '../uses/paths-in.js';
import type { Uses } from '../uses/uses.js';
import { fromRepository, listsCharts } from '../yaml/chart-parts.js';
import { isMisspeltForKustomize } from '../yaml/other-readings.js';
import type { About } from './about-file.js';
import { isExpression, isOfAnother } from './of-another.js';
import { deployKeys, givesOne, harmlessKeys, howAndWhere, isOfClient, releaseGiven } from './tells.js';

/** What stands around an entry. */
export interface Surroundings {
  readonly isNear: IsNear;
  /** Whether a line with nothing but the name stands near. */
  readonly isNearName: IsNear;
  /** Whether something below the same key at the top speaks of Lightdash. */
  readonly isNamedWithin: (entry: Entry) => boolean;
  readonly isInPlainPatch: (entry: Entry) => boolean;
  /** Whether it is of what kustomize puts into images, or into other fields that say a release. */
  readonly isInReplacement: (entry: Entry) => boolean;
  readonly isForeign: (entry: Entry) => boolean;
  /** Whether it stands in such an item of a lock of which others are taken by their names. */
  readonly isLeft: (entry: Entry) => boolean;
  /** Whether it is a word of a command that runs a script of Lightdash. */
  readonly isArgument: (entry: Entry) => boolean;
  /** Whether it is written once more as an alias, and not where nothing says a release. */
  readonly isAliased: (entry: Entry) => boolean;
  /** Whether it chooses which of several values a release has. */
  readonly isChoice: (entry: Entry) => boolean;
  /** Whether its block is a module of Terraform that leads to Lightdash. */
  readonly isInOwnModule: (entry: Entry) => boolean;
  /** Whether something in its document speaks of Lightdash, or leads to it. */
  readonly isInOwnDocument: (entry: Entry) => boolean;
  /** Whether it names a block of its file in which something speaks of Lightdash. */
  readonly isNameOfOwnBlock: (entry: Entry) => boolean;
  /** Whether something in its block, as Terraform has them, speaks of Lightdash. */
  readonly isInOwnBlock: (entry: Entry) => boolean;
}

/** An entry with what its names, its file and what uses these tell about it. */
interface Told {
  readonly file: string;
  readonly entry: Entry;
  readonly about: About;
  readonly uses: Uses;
  readonly around: Surroundings;
  /** The entry as it is written, and its value, without what they say of the client. */
  readonly text: string;
  readonly own: string;
  readonly isRelease: boolean;
  /** The kind of the object that its document is, and whether that is called Lightdash. */
  readonly kind: string;
  readonly isNamedSo: boolean;
  /** Whether something that refers to Lightdash uses that object, and whether it uses it or its file. */
  readonly isObject: boolean;
  readonly isUsed: boolean;
  /** Whether a name of Lightdash stands near. */
  readonly isLinked: boolean;
  /** Whether it is said elsewhere that an image here is Lightdash's, whatever its name. */
  readonly isCalledSo: boolean;
  /** Whether it is the image that a patch of kustomize sets, or says where and how. */
  readonly isPatched: boolean;
  /** Whether it is the image behind an image stream of Lightdash. */
  readonly isSource: boolean;
  /** Whether it gives a value to a name that a reference takes its release from. */
  readonly isGiven: boolean;
  /** Whether a script asks for it, for Lightdash. */
  readonly isAskedFor: boolean;
  /** Whether it says which files, profiles or sources are deployed. */
  readonly saysWhich: boolean;
  /** Whether the whole file is about Lightdash: one that is used, or that refers to a release. */
  readonly isAbout: boolean;
}

export function mayDecide(
  file: string,
  entry: Entry,
  about: About,
  uses: Uses,
  around: Surroundings,
): boolean {
  if (isMisspeltForKustomize(file, entry.path[0] ?? '')) return true;
  if (around.isChoice(entry)) return true;
  if (!around.isAliased(entry) && isNoRelease(file, entry)) return false;
  const told = toldOf(file, entry, about, uses, around);
  return rules.find(([, , holds]) => holds(told))?.[0] === 'decides';
}

function toldOf(file: string, entry: Entry, about: About, uses: Uses, around: Surroundings): Told {
  const { key, value, path, names, document, object = '' } = entry;
  const { isOwn, leads, reference } = about;
  const text = withoutClient(textOf(entry));
  const own = withoutClient(value).replaceAll(requirement, '').replaceAll(howAndWhere, '');
  const [kind = '', name = ''] = object.split('/');
  const isNamedSo = namesLightdash(name) && !isNameOfAnother(name) && !ofData.test(name);
  const isObject = uses.isObject(object);
  const isUsed = about.isUsed || isObject;
  const isInside = isNamedSo || names.some((one) => callsLightdash.test(one));
  const isFirst =
    isInside && /(?:^|\.)container(?:s|Definitions)\.(?:0|[a-z][\w-]*)\.image$/i.test(path.join('.'));
  const isPatched =
    (leads || isUsed) &&
    /^(?:value|path|op)$/.test(key) &&
    /\/(?:image|tag|version|semver|targetRevision)$/.test(key === 'path' ? value : (names.at(-1) ?? ''));
  const isGiven = givesOne(text, key, about.takesFrom);
  const isBesideName =
    document === undefined && (around.isNearName(entry) || (isGiven && around.isNear(entry)));
  const isNamed = leads && isKustomization(file) && uses.isImage(entry.repository ?? '');
  const isHandedOn = about.takesFrom.has(key) && around.isInOwnModule(entry);
  const services = [...path.slice(-2, -1), ...names.slice(-2)];
  return {
    file,
    entry,
    about,
    uses,
    around,
    text,
    own,
    kind,
    isNamedSo,
    isObject,
    isUsed,
    isPatched,
    isGiven,
    isRelease: versionForm.test(own) || /sha256:[0-9a-f]{8}/.test(own),
    isLinked: isNamedSo || isBesideName || [file, ...path, ...names].some(namesLightdash),
    isCalledSo:
      isOwn || isObject || isFirst || isPatched || isNamed || isHandedOn || uses.isService(file, services),
    isSource: isNamedSo && imageKinds.test(kind) && path.at(-2) === 'from',
    isAskedFor: uses.isAskedFor(file, entry),
    saysWhich: (isJob(file, path) ? [key] : path).some(isDeployKey) || commands.test(text),
    isAbout: isUsed || reference === 'release',
  };
}

type Rule = readonly ['decides' | 'decides nothing', why: string, holds: (told: Told) => boolean];

/** What an entry may decide, by the first rule that holds; if none does, it decides nothing. */
const rules: readonly Rule[] = [
  [
    'decides nothing',
    'the version of a whole chart moves no tag, unless something takes it from there',
    ({ file, entry, about }) =>
      listsCharts.test(file) && isOfWholeChart(entry.path) && !about.takesFrom.has('Version'),
  ],
  [
    'decides nothing',
    'it is the version of another chart, from a repository, on which a chart depends',
    ({ file, entry: { path, key, names }, about }) =>
      listsCharts.test(file) &&
      about.reference !== undefined &&
      path[0] === 'dependencies' &&
      key === 'version' &&
      !names.some(namesLightdash) &&
      names.some((name) => fromRepository.test(name)),
  ],
  [
    'decides nothing',
    'it is the version of a module or a provider, in a block without Lightdash',
    ({ entry, around }) =>
      entry.key === 'version' &&
      /^(?:module|provider) /.test(entry.path[0] ?? '') &&
      !around.isInOwnBlock(entry),
  ],
  [
    'decides',
    'it says whether the chart of Lightdash is installed at all',
    ({ file, entry, uses }) => isSwitch(file, entry, uses),
  ],
  [
    'decides',
    'it is a variable of a tool, such as Helm in a pipeline, that a reference in the same file takes its release from',
    ({ entry: { key, path }, about, isRelease }) =>
      isRelease && about.takesHere.has(key) && /^(?:env|environment|variables)$/.test(path.at(-2) ?? ''),
  ],
  [
    'decides',
    'a comment says that it is about Lightdash, as it does for Renovate',
    ({ entry, isRelease }) => isRelease && isToldByComment(entry),
  ],
  [
    'decides',
    'it says which releases a tool takes by itself',
    ({ entry, isAbout }) => isAbout && updaters.test(entry.key),
  ],
  [
    'decides',
    'it is the version of what is fetched from a repository of Lightdash',
    ({ entry: { key, names } }) => key === 'version' && repositoryOfLightdash.test(names.at(-1) ?? ''),
  ],
  ['decides', 'a script asks for it, for Lightdash', ({ isAskedFor }) => isAskedFor],
  [
    'decides nothing',
    'it is an item of a lock that nothing else reads, of which Lightdash takes others',
    ({ file, around, entry, uses }) => !uses.isNamed(file) && around.isLeft(entry),
  ],
  [
    'decides nothing',
    'it is what a target or a function for help says',
    ({ entry: { path, value } }) => path.some((step) => forHelp.test(step)) && saying.test(value),
  ],
  [
    'decides',
    'it runs a script of Lightdash with a number, which may be a part of a release',
    ({ file, entry, own, uses, around }) =>
      /\d/.test(withoutClient(entry.value)) && (uses.runsOne(file, own) || around.isArgument(entry)),
  ],
  [
    'decides nothing',
    'it is clearly about another program',
    ({ entry, text, isLinked, isCalledSo, isSource, about: { takesFrom } }) =>
      isOfAnother(
        withWholeImage({ ...entry, value: releaseGiven(text, takesFrom) ?? entry.value }, takesFrom),
        isLinked,
        isCalledSo || isSource,
      ),
  ],
  [
    'decides',
    'an image stream of Lightdash names the image behind it',
    ({ entry, isSource }) => isSource && entry.key === 'name',
  ],
  [
    'decides',
    'kustomize sets it in an image whose name may be any',
    ({ entry, isPatched, isUsed, about, uses }) =>
      isPatched || ((about.leads || isUsed) && isOfAnyImage(entry, uses)),
  ],
  [
    'decides',
    'it says what kustomize puts into an image, and into which',
    ({ entry, isAbout, about, around }) => (about.leads || isAbout) && around.isInReplacement(entry),
  ],
  [
    'decides',
    'kustomize changes what it lists by a file that the change does not touch, so that nobody looks at it',
    ({ file, entry: { path, value }, about, uses }) =>
      about.leads &&
      isKustomization(file) &&
      patching.test(path[0] ?? '') &&
      uses.isUntouched(posix.join(posix.dirname(file), value)),
  ],
  [
    'decides',
    'kustomize changes what is called Lightdash, and nothing but what it fetches by this can have it',
    ({ file, entry, about }) =>
      isKustomization(file) &&
      about.changesUntagged &&
      !about.leads &&
      /^(?:resources|bases|components)$/.test(entry.path[0] ?? '') &&
      /[?&]ref=/.test(entry.value),
  ],
  [
    'decides',
    'kustomize may replace a field by this literal: a file of its own says which',
    ({ entry, about, isRelease }) =>
      about.leads && about.replacesByFile && entry.path.includes('literals') && isRelease,
  ],
  [
    'decides',
    'it is said elsewhere that this image is Lightdash',
    ({ entry, isCalledSo }) => isCalledSo && /image$/i.test(entry.key) && entry.value !== '',
  ],
  [
    'decides',
    'an object of Lightdash, or one that it uses, deploys what is fetched by it',
    ({ entry, kind, isNamedSo, isObject }) =>
      (isObject || (isNamedSo && deployers.test(kind))) && fetchKeys.test(entry.key),
  ],
  [
    'decides',
    'it holds back what is deployed, which is at another release by then',
    ({ entry, around }) => isHeldBack(entry) && around.isInOwnDocument(entry),
  ],
  [
    'decides',
    'a job of GitLab takes another part of the file by its name',
    ({ entry, around }) => entry.value.startsWith('.') && around.isNameOfOwnBlock(entry),
  ],
  ['decides', 'it refers to a release of Lightdash', ({ text }) => referenceIn(text) === 'release'],
  [
    'decides',
    'it gives a value to a name that a reference takes its release from',
    ({ entry, isGiven, about }) =>
      isGiven || [lastTwo(entry), nameGiven(entry)].some((name) => about.takesFrom.has(name)),
  ],
  [
    'decides',
    'it is the release by which such a name is declared, or that a chart has under a name of Lightdash',
    ({ entry: { key, path }, isRelease, uses, about }) =>
      isRelease &&
      ((/^(?:default|value)$/i.test(key) && about.takesFrom.has(path.at(-2) ?? '')) ||
        path.slice(0, -1).some(uses.isAlias)),
  ],
  [
    'decides',
    'it is the release beside such a name',
    ({ entry, isRelease, about }) => isRelease && about.takesFrom.has(asName(entry.names.at(-1) ?? '')),
  ],
  [
    'decides nothing',
    'it stands in an object or the values of another program, or in a patch that sets no image',
    ({ file, entry, isObject, uses, around }) =>
      (!isObject && around.isForeign(entry)) ||
      around.isInPlainPatch(entry) ||
      (isValuesFile(file) && uses.isOtherPart(file, entry.path[0] ?? '') && !around.isNamedWithin(entry)),
  ],
  [
    'decides nothing',
    'it deploys the chart of another program',
    ({ file, text, uses }) =>
      deploysChart.test(text) && !namesLightdash(text) && !uses.leadsToOne(file, text),
  ],
  [
    'decides nothing',
    'it runs a program that only looks, or removes what is not in use',
    ({ own }) => looking.test(own) || saving.test(own),
  ],
  [
    'decides',
    'it says which files, profiles or sources are deployed, and leads to Lightdash',
    ({ entry, saysWhich, about, around }) =>
      saysWhich && (about.leads || (about.reference !== undefined && around.isNear(entry))),
  ],
  [
    'decides',
    'it names a file that refers to Lightdash',
    ({ file, own, uses }) => uses.leadsToOne(file, own),
  ],
  ['decides', 'it says how compose or Helmfile runs Lightdash', ({ text, uses }) => uses.saysHow(text)],
  [
    'decides nothing',
    'it gives a value to a name from which nothing but the image of another program takes its tag',
    ({ entry, uses }) => [nameGiven(entry), lastTwo(entry)].some(uses.isOfAnother),
  ],
  ['decides nothing', 'its name says of which tool it is the version', ({ entry }) => isOfTool(entry)],
  ['decides', 'it is a release in a file about Lightdash', ({ isAbout, isRelease }) => isAbout && isRelease],
  [
    'decides',
    'its key says that it is a release, in a file about Lightdash',
    ({ entry, own, isAbout }) =>
      isAbout &&
      own !== '' &&
      !/^["']?\d+(?:\.\d+)?["']?,?$/.test(own) &&
      wordsOf(entry.key).some((word) => saysRelease.has(word)),
  ],
  [
    'decides',
    'it merges what stands elsewhere into a file about Lightdash',
    ({ entry, isAbout }) => isAbout && entry.document !== undefined && entry.key === '<<',
  ],
  [
    'decides',
    'it says what is deployed, or names a file, in a file about Lightdash',
    ({ file, entry, own, isAbout, saysWhich, uses }) =>
      isAbout && (saysWhich || uses.leadsToOne(file, own) || namesFile(entry.path, own)),
  ],
  [
    'decides',
    'it is a release, kept near the name of Lightdash',
    ({ entry, own, isLinked, isRelease, about }) =>
      about.reference === 'name' && isLinked && isRelease && isKept(entry, own),
  ],
];

/** Whether it says of Lightdash's chart, in one that depends on it, its values or Helmfile, whether it is installed. */
function isSwitch(file: string, { path, names }: Entry, uses: Uses): boolean {
  const [chart = '', key, ...below] = path;
  if (listsCharts.test(file))
    return (
      chart === 'dependencies' && /^(?:condition|tags)$/.test(path[2] ?? '') && names.some(namesLightdash)
    );
  if (path[0] === 'releases' && path[2] === 'installed') return names.some(namesLightdash);
  const isOwn = callsLightdash.test(chart) || uses.isAlias(chart);
  const isEnabled = key === 'enabled' && below.length === 0 && isOwn;
  return isValuesFile(file) && (isEnabled || uses.isSwitch(path.join('.')));
}

/** Whether it says that an object is not deployed for now, as Flux and Kubernetes have it. */
export function isHeldBack({ key, value, object = '' }: Entry): boolean {
  const [kind = ''] = object.split('/');
  return (
    /^(?:suspend|paused)$/.test(key) && value === 'true' && (deployers.test(kind) || kind === 'Deployment')
  );
}

/** The name that an entry gives a value to: its key, or that of what it declares, such as `variable "tag"`. */
function nameGiven({ key, path }: Entry): string {
  if (!/^(?:default|value)$/i.test(key)) return key;
  const [step = ''] = path.slice(-2);
  return /"([\w-]+)"/.exec(step)?.[1] ?? step;
}

/** Whether it says by which version of a tool something is built or deployed: `HELM_VERSION`, or as mise has them. */
function isOfTool({ key, path, names }: Entry): boolean {
  const words = wordsOf(key);
  const own = words.filter((word) => !saysRelease.has(word));
  const isSaid = words.length > own.length || asName(path.at(-2) ?? '') === 'tools';
  return (
    isSaid &&
    own.length > 0 &&
    ![...path, ...names].some(namesLightdash) &&
    own.every((word) => tools.has(word))
  );
}

const tools = new Set(
  'helm helmfile kubectl kubeconform sops age yq jq java jvm kotlin scala spring tini tflint checkov trivy'.split(
    ' ',
  ),
);

/** A key, also of a line. */
function asName(step: string): string {
  return step.replaceAll(/^[^\w]+|[^\w]+$/g, '');
}

function isDeployKey(step: string): boolean {
  return deployKeys.test(step);
}

/** One command that deploys nothing, and hands on nothing to another: what `docker compose config` shows may be deployed. */
const looking =
  /^\s*[@-]?(?:(?:yamllint|kubeconform|kubeval|kube-linter|kube-score|conftest|checkov|shellcheck|hadolint|actionlint|tflint|prettier)|helm lint|kubectl(?: -n [\w-]+)? (?:diff|get|logs|rollout status|wait)|docker compose(?: -f [\w./-]+)* (?:config (?:-q|--quiet)(?!.*\s-)|down|logs|ps|stop|exec(?: -\w+)* [\w-]+ (?:psql|pg_isready))|docker (?:image|container|network|builder|system) prune)(?= |$)[^;&|`$()<>\n\\]*(?:\|\| *(?:true|:))?$/;

/** A target of make, or a function of a shell, whose words are for people. */
const forHelp = /^(?:help|usage)\s*(?::(?!=)|\(\)\s*\{$)/;
const saying = /^\s*@?(?:echo|printf) [^;&|`$()<>\\]*$/;

/** A command that saves a database, in a running container. */
const saving =
  /^\s*@?docker compose(?: -f [\w./-]+)* exec(?: -\w+)* [\w-]+ pg_dump(?:all)?(?: [\w-]+)*(?: *\| *gzip)?(?: *> *(?:[\w./"-]|\$\{?\w+\}?|\$\(date [^()]*\))+)?$/;

/** Annotations for the image updater of Argo CD, and for Keel. */
const updaters = /^(?:argocd-image-updater\.argoproj\.io|keel\.sh)\//;

const repositoryOfLightdash = /[:/][\w.-]*lightdash[\w.-]*$/i;

/** In a job of a pipeline that is called so, `build` says nothing. In a Skaffold file it does. */
function isJob(file: string, [top, name]: readonly string[]): boolean {
  return (top === 'build' && /gitlab/i.test(file)) || (top === 'jobs' && name === 'build');
}

function lastTwo({ path }: Entry): string {
  return path.slice(-2).map(asName).join('.');
}

/** The version of a chart itself, which a template may write into an image, and the checksum of its list. */
function isOfWholeChart(path: readonly string[]): boolean {
  return path.length === 1 && (path[0] === 'version' || path[0] === 'digest');
}

const patching = /^(?:patches\w*|components|transformers|configurations)$/;

/** What kustomize sets of each image that matches an expression, or that is Lightdash's under another name. */
function isOfAnyImage({ key, repository = '' }: Entry, uses: Uses): boolean {
  return (
    /^(?:newTag|newName|digest|tagSuffix)$/.test(key) &&
    (isExpression(repository) || uses.isImage(repository))
  );
}

const imageWithTag = /(?:^|[\s"'=])[\w.-]+(?::\d+)?(?:\/[\w.-]+)+:v?\d/;

/** Whether an entry says no release by its key, or by where it stands. */
function isNoRelease(file: string, { key, path }: Entry): boolean {
  const isHarmless =
    harmlessKeys.test(key) || path.some((step) => noRelease.test(step)) || filters.test(path.join('.'));
  return isHarmless || isOfClient(key) || isOfPackages(file, path);
}

/** Whether a release is kept there: by a name that says so, beside a name, or where something is fetched from. */
function isKept({ key, path, names, document }: Entry, own: string): boolean {
  const around = [key, path.at(-2) ?? '', ...names.slice(-1), ...(document === undefined ? [own] : [])];
  const beside = [path.at(-2) ?? '', ...names.slice(-2)];
  return (
    fetched.test(own) ||
    imageWithTag.test(own) ||
    (/^["']?v?\d+\.\d+\.\d+["']?,?$/.test(own) && beside.some((name) => callsLightdash.test(asName(name)))) ||
    around.some((one) => wordsOf(one).some((word) => saysRelease.has(word)))
  );
}

/** Blocks that say no release: labels, ports, and which provider. */
export const noRelease = /^(?:labels|ports)$|^required_providers\b/;

/** For which files a pipeline of GitHub or GitLab runs, and what its cache is called. */
const filters = /\b(?:(?:push|pull_request\w*)\.paths|(?:rules\.\d+|only|except)\.changes|cache\.key)\b/;

const commands =
  /^FROM\s|\b(?:docker|podman|nerdctl|helm|helmfile|kubectl|kustomize|terraform|tofu|nomad|skaffold|ansible-playbook|make)\b.*\s(?:-[fk]|--?(?:file|values|env-file|var-file|profile|set\S*|version|tag|chart\S*))\b/;

/** A command of Helm alone, with a chart from a repository. */
const deploysChart =
  /^(?!.*[|;&])(?:.*=)?\W*helm\s.*\b(?:upgrade|install|template)\s(?:.*\s)?(?:oci:\/\/\S+|[\w-]+\/[\w-]+)(?:\s|$)/;

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
const deployers =
  /^(?:Application|Kustomization|HelmRelease|HelmChart|OCIRepository|GitRepository|Bucket|ImageRepository)$/;

const fetchKeys = /^(?:path|url|repoURL|chart|targetRevision|semver|branch|commit|range|pattern)$/;

const ofData = /db|database|backup/i;

/** In files of packages, the versions of libraries, and their own. */
function isOfPackages(file: string, path: readonly string[]): boolean {
  const [section = ''] = path;
  if (/(?:^|\/)(?:package|composer)\.json$/.test(file))
    return (/[dD]ependencies$|^engines$/.test(section) && !path.some(namesOwnPackage)) || path.length === 1;
  return (
    /(?:^|\/)(?:pyproject|Cargo)\.toml$/.test(file) &&
    /^(?:project|package|dependencies|tool\.poetry)/.test(section)
  );
}

function namesFile(path: readonly string[], value: string): boolean {
  const key = path.findLast((one) => !/^\d+$/.test(one)) ?? '';
  return (
    (path.includes('include') ||
      (key === 'values' && /\.(?:ya?ml|json|gotmpl)$/.test(value)) ||
      /^(?:resources|bases|components|values?Files|env_file|envs|files?)$/.test(key)) &&
    /^[\w.@/-]+$/.test(value) &&
    /[./]/.test(value)
  );
}
