import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lazy } from '../../core/common/memoize.js';
import {
  isCompanion,
  isLightdashRepository,
  isNameOfRelease,
  isOfChart,
  namesLightdash,
  wordsOf,
} from '../../core/lightdash-name.js';
import { isVersion } from '../../core/version.js';
import { type Entry, textOf } from '../entries.js';
import { isCalledLightdash, longestLine, saysRelease, withoutClient } from '../names.js';
import { isKustomization } from '../paths-in.js';
import { isValuesFile } from '../pin-pattern.js';
import { isRelease, isUnmistakable } from '../releases/releases.js';
import { listsCharts } from '../yaml/chart-parts.js';
import { lastNameOf } from '../yaml/image-places.js';
import type { AboutFile } from './about-file.js';
import type { Difference } from './differences.js';
import { ofBoth } from './side.js';
import {
  digestsIn,
  imageOf,
  lacking,
  nameInLine,
  type Subject,
  saysNoRelease,
  subjectOf,
  subjectOfFolder,
  subjectOfName,
  versionsIn,
} from './values.js';
import {
  changedWords,
  isForBrowsers,
  isHarmless,
  isOfAnotherName,
  isOfAnotherOption,
  literalsIn,
  nameAssigned,
  selectsFiles,
  type Word,
} from './words.js';

/** Whether a difference may move Lightdash, by the first rule that holds; if none does, it moves nothing. */
export function mayMove(difference: Difference, about: AboutFile): boolean {
  const context = contextOf(difference, about);
  return rules.find((rule) => rule[2](context))?.[0] === 'moves';
}

type EntryContext = ReturnType<typeof contextOf>;

/** A difference with what the rules ask about it. */
function contextOf({ was, is }: Difference, about: AboutFile) {
  const both = [was, is].filter((side) => side !== undefined);
  const entry = is ?? was;
  if (entry === undefined) throw new Error('a difference has a side');
  const { takesFrom, refers, isUsed, isReferring } = about;
  const values = ofBoth((i) => withoutClient(([was, is][i]?.value ?? '').replaceAll(comparison, '')));
  const isTagged = lazy(() => about.isTagWritten('') || both.some((side) => /image\.tag=/.test(side.value)));
  const words = changedWords(...values).filter((word) => !(isVersionOfChart(word, entry) && isTagged()));
  const saying = about.isCode ? changedWords(...ofBoth((i) => literalsIn(values[i]))) : words;
  const releasesOf = (side: 0 | 1) =>
    saying.flatMap((word) =>
      word.side === side && !isHarmless(word) && !isForBrowsers(word)
        ? [...versionsIn(word.text), ...digestsIn(word.text)]
        : [],
    );
  const [old, now] = ofBoth((i) => (values[i].length > longestLine ? versionsIn(values[i]) : releasesOf(i)));
  const isGiven =
    both.some((side) => givesOne(side, takesFrom, about.isInScope(side))) ||
    words.some((word) => takesFrom.has(nameAssigned(word)));
  return {
    ...{ was, is, both, about },
    /** The entry as it is, or as it was where it went. */
    entry,
    subject: subjectOfAll(both.map(subjectOf), about, entry),
    /** The versions and digests that it loses, and those that it brings. */
    lost: lacking(old, now),
    brought: lacking(now, old),
    /** Of `lost` and `brought`, what stands at another program's name in the line: 3.4.1 in `{"billing": "3.4.1"}`. */
    ofOthers: new Set(words.flatMap((word) => (isOfAnotherName(word) ? versionsIn(word.text) : []))),
    /** Whether the file is used by what refers to Lightdash, or refers to it. */
    isAbout: isUsed || isReferring || about.isObject(entry.object ?? ''),
    /** Whether it is an image of a companion on both sides: its database, its proxy. */
    isOfCompanion: !isGiven && both.every((side) => isCompanion(imageOf(side) ?? '')),
    /**
     * Whether it is one image of another program, of which both sides write the name, in a file without Lightdash, or
     * with its own image.
     */
    isOfAnother:
      !isGiven &&
      (about.hasPins ? both.every(about.isInAnother) : !about.isNamed && !isUsed) &&
      isImageOfAnother(was, is),
    /** Whether either side refers to what decides the release, or sets a name that the release is taken from. */
    isReference: both.some((side) => refers(textOf(side))),
    isGiven,
    /** The words of it that one side has and the other lacks. */
    words,
    /** Whether what changes in it can say which release, file or source: not a port, a host or a time. */
    selectsFiles: selectsFiles(words, about),
  };
}

/** A condition in a template of Helm: the version that it compares with is not deployed. */
const comparison = /\bsemverCompare "[^"\n]{1,80}"/g;

/** Whether a word of a command is the version of the chart that Helm deploys by it. */
function isVersionOfChart({ option, text }: Word, { value }: Entry): boolean {
  return (
    /\bhelm\b/.test(value.slice(0, longestLine)) && (option === '--version' || text.startsWith('--version='))
  );
}

/** Whose value both sides are; where neither file nor object says so, its folder does, unless that is a tool's. */
function subjectOfAll(subjects: readonly Subject[], { file }: AboutFile, { object = '' }: Entry): Subject {
  if (subjects.includes('Lightdash')) return 'Lightdash';
  if (!subjects.includes('nobody')) return 'another';
  if (namesLightdash(object)) return 'nobody';
  const folders = posix.dirname(file).split('/').toReversed().map(subjectOfFolder);
  return folders.find((subject) => subject !== 'nobody') ?? 'nobody';
}

type Rule = readonly ['moves' | 'moves nothing', why: string, holds: (context: EntryContext) => boolean];

const rules: readonly Rule[] = [
  [
    'moves',
    'it chooses which of several values a release has',
    ({ about, both }) => both.some(about.isChoice),
  ],
  [
    'moves',
    'it says which releases a tool takes by itself',
    ({ entry, about }) => about.isNamed && entry.path.some((step) => updaters.test(step)),
  ],
  [
    'moves nothing',
    'its key, or where it stands, says that it is no release',
    ({ about, entry }) => saysNoRelease(about.file, entry),
  ],
  [
    'moves nothing',
    'it is the version of a whole chart, or what a lock computes of its list, and no image takes it',
    ({ about: { file, takesFrom }, entry: { path } }) =>
      listsCharts.test(file) &&
      path.length === 1 &&
      /^(?:version|digest|generated)$/.test(path[0] ?? '') &&
      !takesFrom.has('Chart.Version'),
  ],
  [
    'moves',
    'a kustomization changes by it what is called Lightdash, or where that is',
    ({ about, entry, isAbout }) => isChangeOfKustomize(about, entry, isAbout),
  ],
  [
    'moves nothing',
    'it is of a patch of a kustomization that sets no image',
    ({ about, entry }) =>
      isKustomization(about.file) && /^patches/.test(entry.path[0] ?? '') && !about.isInItemOfRelease(entry),
  ],
  [
    'moves nothing',
    'it runs a program that only looks, saves or explains',
    ({ about, both }) => {
      const isIdle = (side: Entry) =>
        isLooking(side) || !(about.refers(textOf(side)) || about.leadsToOne(side.value));
      return both.some(isLooking) && both.every(isIdle);
    },
  ],
  [
    'moves',
    'it chooses the stage of a Dockerfile that pins Lightdash',
    ({ about, entry, words }) =>
      words.some(
        ({ option, text }) =>
          (entry.key === 'target' && about.stages.has(text)) ||
          (option === '--target' && about.stages.has(text)) ||
          (text.startsWith('--target=') && about.stages.has(text.slice('--target='.length))),
      ),
  ],
  [
    'moves nothing',
    'it is the version of a chart, while the tag is written',
    ({ about, entry }) =>
      isChartVersion(about, entry) && (about.isInAnother(entry) || about.isTagWritten(nameGiven(entry))),
  ],
  [
    'moves',
    'it says whether the chart of Lightdash is installed at all',
    ({ about, entry }) => isSwitch(about, entry),
  ],
  [
    'moves nothing',
    'it is the image of a companion of Lightdash, whose name is written out',
    ({ isOfCompanion }) => isOfCompanion,
  ],
  [
    'moves',
    'it loses a release or a digest that the base deploys',
    ({ about, lost }) => lost.some((release) => about.deployed.has(release)),
  ],
  [
    'moves nothing',
    'it is an image of another program on Docker Hub, in a file where Lightdash has its own, or that has nothing to do with it',
    ({ isOfAnother }) => isOfAnother,
  ],
  [
    'moves',
    'it brings or loses a release that can hardly be another program’s',
    ({ lost, brought, about: { isCode, isNamed, areInCode } }) =>
      [...lost, ...brought].some(isUnmistakable) && (!isCode || isNamed || areInCode),
  ],
  [
    'moves nothing',
    'it is the image of another program that runs beside Lightdash',
    ({ was, is, isGiven }) => !isGiven && runsBesideLightdash(was, is),
  ],
  [
    'moves',
    'it gives a value to a name that a reference takes its release from',
    ({ isGiven, entry, lost, brought, about }) =>
      isGiven &&
      (!about.isCode ||
        lost.length + brought.length > 0 ||
        (saysRelease(entry.key) && (literalsIn(entry.value) !== '' || about.isInScope(entry)))),
  ],
  [
    'moves',
    'it takes one release for another where the nearest name is Lightdash, whatever its image is called',
    ({ lost, brought, ofOthers, entry, about }) =>
      isNamedLightdash(about, entry) &&
      [lost, brought].every((side) => side.some((version) => isRelease(version) && !ofOthers.has(version))),
  ],
  [
    'moves nothing',
    'it stands in an object, a service or a release of another program',
    ({ about, entry }) => about.isInAnother(entry) && !about.isObject(entry.object ?? ''),
  ],
  [
    'moves',
    'it names a file that pins Lightdash',
    ({ about, was, is }) => !isDeepStrictEqual(pinsNamed(was, about), pinsNamed(is, about)),
  ],
  [
    'moves',
    'it brings a release, or loses one, at the name of Lightdash',
    ({ subject, lost, brought, ofOthers, isAbout, about, entry }) => {
      const all = [...lost, ...brought].filter((release) => !ofOthers.has(release));
      if (subject === 'Lightdash')
        return all.length > 0 && (isAbout || saysRelease(entry.key) || all.some(isRelease));
      return subject === 'nobody' && all.some(isRelease) && (isAbout || about.isNear(entry, 3));
    },
  ],
  [
    'moves',
    'it refers to a release of Lightdash, and says which',
    ({ isReference, selectsFiles, entry, both, about: { isCode, refers } }) => {
      const referring = both.filter((side) => refers(textOf(side)));
      // A program that learns the name of an image, or forgets it, deploys nothing without a tag.
      const isNameAlone = referring.length < 2 && !referring.some(({ value }) => /[$:@{]/.test(value));
      return isReference && (selectsFiles || isNameOfRelease(entry.key)) && !(isCode && isNameAlone);
    },
  ],
  [
    'moves',
    'its key says that it is a release, in a file about Lightdash',
    ({ isAbout, subject, entry, about, lost, brought, words }) =>
      (isAbout || about.isInOwnItem(entry)) &&
      !about.isCode &&
      subject !== 'another' &&
      saysRelease(entry.key) &&
      !(words.length > 0 && words.every((word) => isOfAnotherOption(word, about))) &&
      // From a version to a version that no release of Lightdash has: another program's.
      !(subject === 'nobody' && isOfNoRelease([...lost, ...brought])) &&
      !/^["']?\d{0,9}(?:\.\d{1,9})?["']?,?$/.test(entry.value),
  ],
  [
    'moves',
    'an object of Lightdash, or one that it uses, deploys what is fetched by it',
    ({ about, entry }) => isFetched(about, entry),
  ],
  [
    'moves',
    'it says how compose or Helmfile runs Lightdash',
    ({ about, entry, both, selectsFiles }) =>
      (selectsFiles || isDeployKey(entry)) &&
      both.some((side) => about.saysHow(textOf(side))) &&
      (entry.document !== undefined || /docker|podman|compose|helmfile/i.test(textOf(entry))),
  ],
  [
    'moves',
    'it says which files, profiles or sources are deployed, and leads to Lightdash',
    ({ about, entry, was, is, selectsFiles, isAbout }) =>
      !about.isCode &&
      !about.isInOtherPart(entry) &&
      !(about.hasPins && isStageOfAnother(was, is)) &&
      (((isDeployKey(entry) || isOfTool(entry)) && entry.value !== '') ||
        /^FROM\s/.test(textOf(entry)) ||
        (selectsFiles && commands.test(textOf(entry)))) &&
      (about.leads || isAbout || about.isNear(entry, 12)),
  ],
  [
    'moves',
    'it names a file that refers to Lightdash',
    ({ about: { leadsToOne, isCode }, words, both }) => {
      // A plain word of a sentence is no name of a folder: its line tells.
      const isPath = (text: string) => /[./]/.test(text) || both.some((side) => leadsToOne(side.value));
      return !isCode && words.some(({ text }) => leadsToOne(withoutClient(text)) && isPath(text));
    },
  ],
  [
    'moves',
    'it merges what stands elsewhere into a file about Lightdash, or takes in another file',
    ({ isAbout, entry }) =>
      isAbout && entry.document !== undefined && (entry.key === '<<' || namesFile(entry)),
  ],
];

/** The files that pin Lightdash as an entry names them, in its order: a later one may override an earlier one. */
function pinsNamed(entry: Entry | undefined, { namesPin }: AboutFile): readonly string[] {
  const words = (entry?.value ?? '').slice(0, longestLine).split(/[\s"'`,;()=]+/);
  return words.filter((word) => /[./]/.test(word) && namesPin(word));
}

/**
 * Whether both sides write one image of another name, on Docker Hub or in the registry of its own program, such as
 * `docker.n8n.io/n8nio/n8n`. A mirror of Lightdash would be in a registry of one's own.
 */
function isImageOfAnother(was: Entry | undefined, is: Entry | undefined): boolean {
  const image = imageOnBoth(was, is);
  if (image === undefined || is === undefined) return false;
  const [, host] = /([\w.-]{1,80}\.[\w-]{1,60})(?::\d{1,5})?\//.exec(is.value.slice(0, longestLine)) ?? [];
  const isOwnRegistry = host?.split('.').includes(lastNameOf(image));
  return host === undefined ? !is.value.includes('localhost') : isOwnRegistry === true;
}

/** The image that both sides write, if that is not Lightdash's. */
function imageOnBoth(was: Entry | undefined, is: Entry | undefined): string | undefined {
  if (was === undefined || is === undefined) return undefined;
  const image = imageOf(is);
  return image !== undefined && imageOf(was) === image && !isLightdashRepository(image) ? image : undefined;
}

/**
 * Whether it is the image of another program that runs beside Lightdash, although what runs it has that name: called after
 * its image, such as `lightdash-adminer`, or a container that values add.
 */
function runsBesideLightdash(was: Entry | undefined, is: Entry | undefined): boolean {
  const image = imageOnBoth(was, is);
  if (image === undefined || is === undefined || !isImageOfAnother(was, is)) return false;
  const name = lastNameOf(image);
  const [owner = ''] = is.path
    .slice(0, -1)
    .filter((step) => !/^(?:\d+|image)$/.test(step))
    .slice(-1);
  const owners = [owner, ...is.names.filter((beside) => !/[/:]/.test(beside)).slice(-1)];
  const isAfterImage = owners.some((one) => wordsOf(name).every((part) => wordsOf(one).includes(part)));
  const isAdded = is.path.some((step) => addedContainers.test(step));
  return subjectOfFolder(name) === 'another' && (isAfterImage || isAdded);
}

const addedContainers = /^(?:init|extra|sidecar)\w{0,40}$/i;

/**
 * Whether the nearest name that says whose a value is, is Lightdash: in its line, beside it, around it, of its object or of
 * its file. Its own image says nothing here, as a mirror or a build may be called anything, but for one of Docker's own.
 */
function isNamedLightdash({ file, isPipeline }: AboutFile, entry: Entry): boolean {
  const { key, value, path, names, object } = entry;
  if (imageOf(entry) !== undefined && ![value, ...names].some((text) => text.includes('/'))) return false;
  const own = ofVersions.test(key) ? '' : key;
  if (subjectOfName(own) !== 'another' && namesLightdash(withoutClient(value))) return true;
  // What a pipeline runs on, and its tools, are no releases of what it deploys.
  if (isPipeline && !path.some((step) => /^(?:env|variables)$/.test(step))) return false;
  // Containers that values add to a chart's own are other programs.
  if (path.some((step) => addedContainers.test(step))) return false;
  const beside = names.filter((name) => !/[/:]/.test(name) || isLightdashRepository(name)).toReversed();
  const values = path.findIndex((step) => /^values/.test(step));
  const inValues = values < 0 ? beside.slice(0, 1) : [];
  // What stands around a value in an object are the words of its kind, but for the values of a chart.
  const isOfKind = (i: number) => object !== undefined && (values < 0 || i <= values);
  const around = path
    .slice(0, -1)
    .filter((_, i) => !isOfKind(i))
    .toReversed();
  const [, ofObject = ''] = object?.split('/') ?? [];
  const ofFile = posix.basename(file).replace(/\..*$/, '');
  const all = [own, ...inValues, ...around, ...beside.slice(inValues.length), ofObject, ofFile];
  return all.map(subjectOfName).find((subject) => subject !== 'nobody') === 'Lightdash';
}

/** Whether it is the environment of a container that runs no Lightdash itself, and may deploy it. */
function isOfTool({ path, names }: Entry): boolean {
  return path.includes('envFrom') && !names.some((name) => /[/:]/.test(name) && isLightdashRepository(name));
}

/** Whether a stage of a Dockerfile is built from one image of another program on both sides. */
function isStageOfAnother(was: Entry | undefined, is: Entry | undefined): boolean {
  return (
    [was, is].every((side) => side !== undefined && /^FROM\s/.test(side.value)) && isImageOfAnother(was, is)
  );
}

/** Keys of a version or an image that are named after no program. */
const ofVersions = /^(?:range|url|reference|semver\w{0,20}|defaultValue|final\w{0,20}Tag)$/i;

function isOfNoRelease(versions: readonly string[]): boolean {
  return versions.length > 0 && versions.every((version) => isVersion(version) && !isRelease(version));
}

/**
 * Whether an entry sets one of some names, by its key or by a declaration such as `variable "tag"`. An entry that is
 * clearly another program's does so only by a path such as `lightdash.tag`, and not by `tag` alone, unless a reference
 * stands in its scope.
 */
function givesOne(entry: Entry, names: ReadonlySet<string>, isInScope: boolean): boolean {
  if (names.size === 0) return false;
  const { key, path, document } = entry;
  // The environment of a compose service goes to the container: compose fills nothing in from it.
  if (path[0] === 'services' && path.includes('environment')) return false;
  const isOther = !isInScope && subjectOf(entry) === 'another' && imageOf(entry)?.includes('/') !== false;
  const isPlain = (name: string) => /^[a-z.]+$/.test(name) && subjectOfName(name) === 'nobody';
  const has = (name: string) => names.has(name) && !(isOther && isPlain(name));
  const steps = path.map(asName);
  const keys = [key, nameGiven(entry), steps.slice(-2).join('.'), steps.slice(-3).join('.')];
  if (forTools.test(key) && names.has(key.replace(forTools, ''))) return true;
  return has(nameInLine(entry) ?? '') || (keys.some(has) && (key !== '' || document !== undefined));
}

const forTools = /\b(?:TF|PKR|NOMAD)_VAR_/;

/** The name that an entry gives a value to: its key, or that of what it declares, such as `variable "tag"`. */
function nameGiven({ key, path, names }: Entry): string {
  if (!/^(?:default|(?:parameter)?value)$/i.test(key)) return key.replace(/^[\w-]{1,80}:(?=\w)/, '');
  const [step = ''] = path.slice(-2);
  // An item of a list: `{name: TAG, value: 1.2.3}`.
  if (/^\d+$/.test(step)) return names.at(-1) ?? '';
  return /"([\w-]{1,120})"/.exec(step)?.[1] ?? step;
}

/** A key, also of a line. */
function asName(step: string): string {
  return step
    .replace(/^\W{1,20}/, '')
    .replace(/\W{1,20}$/, '')
    .replace(/^(?:export )?(?:const|let|var|val) /, '');
}

/** The version of a chart, by its name or by the chart that stands beside it. */
function isChartVersion({ file, isBesideChart }: AboutFile, entry: Entry): boolean {
  const { key, path } = entry;
  if (isOfChart(key) || isOfChart(nameGiven(entry)))
    return saysRelease(nameGiven(entry).replace(/chart|helm/gi, ''));
  if (key === 'targetRevision') return isBesideChart(entry);
  if (key !== 'version') return false;
  if (listsCharts.test(file)) return path[0] !== 'appVersion';
  // Within the values passed to a chart, it is a value, and no version of the chart.
  if (path.some((step) => /^(?:values|set)/.test(step))) return false;
  const isOfBlock = path.length === 2 && /^resource "helm_release"/.test(path[0] ?? '');
  return isOfBlock || path.some((step) => /^(?:charts?|helmCharts|releases)$/.test(step));
}

/** Annotations for the image updater of Argo CD, and for Keel. */
const updaters = /^(?:argocd-image-updater\.argoproj\.io|keel\.sh)\//;

/** Whether it says in values, or in Helmfile, whether the chart of Lightdash is installed. */
function isSwitch({ file }: AboutFile, { path, names }: Entry): boolean {
  const [chart = '', key, ...below] = path;
  if (/^(?:releases|dependencies)$/.test(chart) && /^(?:installed|condition|tags)$/.test(below[0] ?? ''))
    return names.some(namesLightdash);
  return isValuesFile(file) && key === 'enabled' && below.length === 0 && isCalledLightdash(chart);
}

/** Objects that deploy what they fetch, and what they fetch it by. */
const deployers =
  /^(?:Application|Kustomization|HelmRelease|HelmChart|OCIRepository|GitRepository|Bucket|ImageRepository)$/;
const fetchKeys = /^(?:path|url|repoURL|chart|targetRevision|semver|branch|commit|range|pattern|tag)$/;

function isFetched({ isObject }: AboutFile, { key, path, object = '' }: Entry): boolean {
  const [kind = '', name = ''] = object.split('/');
  const isOwn = isCalledLightdash(name) && deployers.test(kind);
  // The values that a chart is given are no part of what fetches it.
  const isValue = path.some((step) => /^values(?:Object|Inline|Content)?$/.test(step));
  return fetchKeys.test(key) && !isValue && (isOwn || isObject(object));
}

/** Keys that say which of several files or sources count, and which wins. */
const deployKeys =
  /^(?:COMPOSE_(?:FILE|PROFILES|ENV_FILES)|profiles?|build|dockerfile|context|target|extends|inherits?|env_file|valueFiles|valuesFrom|values_files|valuesFile|additionalValuesFiles|valuesMerge|substituteFrom|chartRef|sourceRef|channel|branch|ref|targetRevision|postRenderers)$/i;

function isDeployKey({ path, key }: Entry): boolean {
  // The revision of a pipeline's templates in another repository: what they deploy is not decided here.
  if (path[0] === 'include' && key === 'ref') return false;
  // What a service is called is a name; so is a job, and what else stands at the top.
  const steps = path[0] === 'services' || path.length === 1 ? path : path.slice(path[0] === 'jobs' ? 2 : 1);
  return steps.some((step) => deployKeys.test(step));
}

/** Whether a kustomization changes images, where it leads to Lightdash or names it. */
function isChangeOfKustomize(about: AboutFile, entry: Entry, isAbout: boolean): boolean {
  const [list = ''] = entry.path;
  if (!isKustomization(about.file)) return false;
  // What it calls an image may be a stand-in for that of Lightdash, or an expression for any.
  if (list === 'images')
    return about.leads && /^(?:newTag|newName|digest)$/.test(entry.key) && entry.names.every(isAnyImage);
  return changingLists.test(list) && (about.leads || isAbout) && about.isInItemOfRelease(entry);
}

function isAnyImage(name: string): boolean {
  return subjectOfName(name) === 'nobody' || /[*+\\[\]()|]/.test(name);
}

const changingLists =
  /^(?:replacements|patches\w{0,20}|transformers|configurations|vars|configMapGenerator)$/;

/** A command that deploys nothing, and hands on nothing to another that could; or what a target for help says. */
function isLooking({ value, path }: Entry): boolean {
  if (value.length > longestLine) return false;
  const command = value.replace(/^\s{0,40}[@-]?/, '');
  if (path.some((step) => forHelp.test(step)) && /^(?:echo|printf) [^;&|`$()<>\\]*$/.test(command))
    return true;
  if (!looking.test(command)) return false;
  return !/[;&`<]|\$\(|\|(?! ?(?:\||gzip|true))/.test(
    command.replace(/\|\| ?(?:true|:)$/, '').replace(/\$\(date [^()]{0,40}\)/, ''),
  );
}

const looking =
  /^(?:(?:yamllint|kubeconform|kubeval|kube-linter|kube-score|conftest|checkov|shellcheck|hadolint|actionlint|tflint|prettier|aws logs)|helm (?:lint|status|history|get)|kubectl(?: -n [\w-]{1,60})? (?:diff|get|logs|describe|top|rollout status|wait)|docker (?:logs|ps|inspect|stats)|docker compose(?: -f [\w./-]{1,120}){0,4} (?:config (?:-q|--quiet)|down|logs|ps|stop|exec(?: -\w{1,9}){0,3} [\w-]{1,60} (?:psql|pg_isready|pg_dump(?:all)?))|docker (?:image|container|network|builder|system) prune)(?= |$)/;

/** A target of make, or a function of a shell, whose words are for people. */
const forHelp = /^(?:help|usage)\s{0,3}(?::(?!=)|\(\)\s{0,3}\{$)/;

const commands =
  /\b(?:docker|podman|nerdctl|helm|helmfile|kubectl|kustomize|terraform|tofu|nomad|skaffold|ansible-playbook|make)\b[^\n]{0,400}\s(?:-[fk]|--?(?:file|values|env-file|var-file|profile|set|version|tag|chart))/;

function namesFile({ path, value }: Entry): boolean {
  const key = path.findLast((step) => !/^\d+$/.test(step)) ?? '';
  return (
    ((path.includes('include') && key !== 'ref') ||
      (key === 'values' && /\.(?:ya?ml|json|gotmpl)$/.test(value)) ||
      /^(?:resources|bases|components|values?Files|env_file|envs|files?)$/.test(key)) &&
    /^[\w.@/-]+$/.test(value) &&
    /[./]/.test(value)
  );
}
