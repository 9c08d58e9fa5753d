import { posix } from 'node:path';
import { groupBy } from '../../core/group-by.js';
import type { FoundPin } from '../found-pins.js';
import { isSourceCode } from '../names/no-deployment.js';
import { isNameOfAnother } from '../names/other-programs.js';
import {
  addNamesTaken,
  bareImage,
  fetched,
  isNameOfRelease,
  namesLightdash,
  namesUsedIn,
  once,
  type Reference,
  referenceIn,
  referenceInCode,
  saysRelease,
  versionForm,
  withoutClient,
  wordsOf,
} from '../names/reference.js';
import { tagKeys } from '../yaml/image-places.js';
import { versionKeys } from '../yaml/lightdash-places.js';
import { isMisspeltForKustomize } from '../yaml/other-readings.js';
import { callsLightdash, type Entry, type IsNear, nearLightdash, textOf } from './entries.js';
import { isExpression, isOfAnother } from './of-another.js';
import type { Uses } from './uses.js';

/** One side of a touched file: what stands in it, and its pins. */
export interface SideOfFile {
  readonly entries: readonly Entry[];
  readonly pins: readonly FoundPin[];
}

/** A difference of a touched file that may move Lightdash, and that no pin explains. */
export interface Unexplained {
  readonly file: string;
  /** From 1; undefined if it is about the file as a whole. */
  readonly line: number | undefined;
  /** As it is written; undefined where nothing is. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly why: 'text' | 'link' | 'submodule' | 'no-text' | 'archive';
}

/** A move of a pin, which is judged: what moves in the same way beside it is judged with it. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * What of a touched file may decide which release of Lightdash runs, and differs. A pin explains its own place, and a
 * move that is judged explains every other place that moves in the same way.
 */
export function unexplainedIn(
  file: string,
  [before, after]: readonly [SideOfFile, SideOfFile],
  uses: Uses,
  moves: readonly Move[],
): readonly Unexplained[] {
  const about = aboutFile(file, [before, after], uses);
  const [was, is] = [before, after].map((side) => decidingOf(file, side, about, uses)) as [
    Deciding[],
    Deciding[],
  ];
  const left = differences(was, is, moves).filter(([old, now]) => !isBareAlone(old, now));
  return left.map(([old, now]) => ({
    file,
    line: (now ?? old)?.entry.line,
    before: old && written(old.entry),
    after: now && written(now.entry),
    why: 'text',
  }));
}

/** Whether the name of an image without a tag comes to a program, or goes. */
function isBareAlone(old: Deciding | undefined, now: Deciding | undefined): boolean {
  return (old === undefined || now === undefined) && (old ?? now)?.isBare === true;
}

interface About {
  readonly reference: Reference | undefined;
  readonly isUsed: boolean;
  /** Whether it is used as Lightdash's: its image may have another name. */
  readonly isOwn: boolean;
  readonly takesFrom: ReadonlySet<string>;
  /** Whether it is a module whose object is spread into one that speaks of Lightdash. */
  readonly isSpread: boolean;
  /** Those that the file itself takes: in another program, the same name means something else. */
  readonly takesHere: ReadonlySet<string>;
  /** In a program, what it imports from one that refers to Lightdash. */
  readonly imports: ReadonlySet<string>;
  /** Whether it names a file that refers to Lightdash, or a folder with one. */
  readonly leads: boolean;
  /** Whether kustomize replaces fields there by what stands elsewhere. */
  readonly replaces: boolean;
}

function aboutFile(file: string, sides: readonly SideOfFile[], uses: Uses): About {
  const takesFrom = new Set(uses.namesAt(file));
  const takesHere = new Set<string>();
  const referenceOf = once(isSourceCode(file) ? referenceInCode : referenceIn);
  const usedIn = once(namesUsedIn);
  const isNamedSo =
    namesLightdash(file) && wordsOf(posix.basename(file)).some((word) => saysRelease.has(word));
  let reference: Reference | undefined = isNamedSo ? 'release' : namesLightdash(file) ? 'name' : undefined;
  for (const { entries, pins } of sides) {
    if (pins.some(({ isOther }) => !isOther)) reference = 'release';
    for (const entry of entries) {
      const used = usedIn(entry.value);
      if (reference === 'release' && used.length === 0) continue;
      const one = referenceOf(textOf(entry)) ?? (entry.names.some(namesLightdash) ? 'name' : undefined);
      if (one === undefined) continue;
      if (one === 'release') {
        reference = 'release';
        for (const name of used) {
          takesFrom.add(name);
          takesHere.add(name);
        }
      } else {
        reference ??= 'name';
        if (isTakenFor(entry, used)) for (const name of used) takesFrom.add(name);
      }
    }
    for (const names of [takesFrom, takesHere]) addNamesTaken(names, entries);
  }
  const places = sides.flatMap(({ entries }) => entries.filter(isPlace).map(({ value }) => value));
  const leads = places.some((place) => uses.leadsToOne(file, place));
  for (const place of leads && !isSourceCode(file) ? places : [])
    for (const name of uses.namesThrough(file, place)) takesFrom.add(name);
  const imports = isSourceCode(file) ? importsIn(file, sides, uses) : new Set<string>();
  const told = { isUsed: uses.isUsed(file), isOwn: uses.isOwn(file), isSpread: uses.isSpread(file) };
  const replaces = sides.some(({ entries }) =>
    entries.some(({ path }) => path[0] === 'replacements' || path[0] === 'vars'),
  );
  return { reference, ...told, takesFrom, takesHere, imports, leads, replaces };
}

/** Whether something that is called Lightdash takes its image, or its release, from a name. */
function isTakenFor({ key, value, names }: Entry, used: readonly string[]): boolean {
  const says = [key, value].some((text) => wordsOf(text).some((word) => saysRelease.has(word)));
  return used.length > 0 && says && names.some((one) => callsLightdash.test(one)) && !isNameOfAnother(value);
}

function importsIn(file: string, sides: readonly SideOfFile[], uses: Uses): ReadonlySet<string> {
  const lines = sides.flatMap(({ entries }) => entries.map(textOf));
  const own = lines.filter((line) => /\b(?:import|require)\b/.test(line) && uses.leadsToOne(file, line));
  const names = own.flatMap((line) => namesIn(line.replaceAll(/["'`].*/g, '')));
  return new Set(names.filter((name) => !/^(?:import|require|from|const|let|var|await|type|as)$/.test(name)));
}

interface Deciding {
  readonly entry: Entry;
  /** Equal for what is equal, whatever its place in a list, its spaces and its quotes. */
  readonly text: string;
  /** Whether it is the name of the image in a program, without a tag: alone, it deploys nothing. */
  readonly isBare?: boolean;
}

function decidingOf(
  file: string,
  { entries, pins }: SideOfFile,
  about: About,
  uses: Uses,
): readonly Deciding[] {
  const ofPath = new Set(
    pins.filter(({ written }) => written === undefined).map(({ path }) => path.join('.')),
  );
  const writtenAt = groupBy(
    pins.filter((pin) => pin.written !== undefined),
    ({ line }) => line,
  );
  const isNear = nearLightdash(entries);
  const foreign = foreignDocuments(entries);
  const isForeign = ({ document }: Entry) => foreign.has(document);
  return entries.flatMap((entry): Deciding[] => {
    if (entry.document !== undefined && isExplained(entry, ofPath)) return [];
    const pinned = writtenAt.get(entry.line) ?? [];
    const value = pinned.reduce((text, { written = '' }) => text.replace(written, '(a pin)'), entry.value);
    const left = { ...entry, value };
    if (isSourceCode(file)) return decidingInCode(left, about, isNear);
    if (!mayDecide(file, left, about, uses, { isNear, isForeign })) return [];
    const keys =
      entry.document === undefined
        ? [entry.key]
        : entry.path.map((key, i) =>
            /^\d+$/.test(key) && !ordered.test(entry.path[i - 1] ?? '') ? '*' : key,
          );
    return [{ entry, text: `${keys.join('.')}=${plain(value)}` }];
  });
}

/** Objects of Kubernetes with a chart or an image of their own, in which nothing speaks of Lightdash. */
function foreignDocuments(entries: readonly Entry[]): ReadonlySet<number | undefined> {
  const foreign = new Set<number | undefined>();
  for (const { object, document, key, value } of entries) {
    const isOwn = key === 'chart' || /^image$/i.test(key) || value.startsWith('oci://');
    if (object !== undefined && isOwn && !/^$|\$|\{\{/.test(value)) foreign.add(document);
  }
  if (foreign.size === 0) return foreign;
  for (const entry of entries) if (namesLightdash(textOf(entry))) foreign.delete(entry.document);
  return foreign;
}

/** Lists in which the last counts. */
const ordered = /^(?:valueFiles|valuesFrom|env_file)$/;

/** A pin is compared with what names its image, and a chart that decides the tag, with all that says which chart it is. */
function isExplained({ path, key }: Entry, pins: ReadonlySet<string>): boolean {
  if (pins.size === 0) return false;
  if (pins.has(path.join('.'))) return true;
  if (!partsOfChart.has(key) && !partsOfImage.has(key)) return false;
  const around = path.slice(0, -1).join('.');
  if (pins.has(around) && partsOfChart.has(key)) return true;
  return partsOfImage.has(key) && [...tagKeys, 'image'].some((one) => pins.has(`${around}.${one}`));
}

const partsOfImage = new Set(
  'registry repository repo newName name image digest imageDigest sha sha256'.split(' '),
);
const partsOfChart = new Set([...versionKeys, ...'chart name repoURL repository repo alias'.split(' ')]);

function mayDecide(
  file: string,
  entry: Entry,
  { reference, isUsed: isUsedFile, isOwn, takesFrom, leads, replaces }: About,
  uses: Uses,
  { isNear, isForeign }: { readonly isNear: IsNear; readonly isForeign: (entry: Entry) => boolean },
): boolean {
  const { key, value, path, names, document, object = '' } = entry;
  const text = withoutClient(textOf(entry));
  if (isMisspeltForKustomize(file, path[0] ?? '')) return true;
  if (isNoRelease(file, entry)) return false;
  const [kind = '', name = ''] = object.split('/');
  const isNamedSo = namesLightdash(name) && !isNameOfAnother(name) && !ofData.test(name);
  const isLinked =
    isNamedSo || [file, ...path, ...names].some(namesLightdash) || (document === undefined && isNear(entry));
  if (key === 'version' && !isLinked && /^(?:module|provider) /.test(path[0] ?? '')) return false;
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
  if (isOfAnother(entry, isLinked, isCalledSo)) return false;
  if (isPatched || ((leads || isUsed) && isOfAnyImage(entry))) return true;
  if (leads && replaces && path.includes('literals') && versionForm.test(value)) return true;
  if (isCalledSo && /image$/i.test(key) && value !== '') return true;
  if (isNamedSo && deployers.test(kind) && fetchKeys.test(key)) return true;
  if (referenceIn(text) === 'release') return true;
  if (namesIn(text).some((name) => takesFrom.has(name) && (name === key || isAssigned(text, name))))
    return true;
  const own = withoutClient(value);
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

/**
 * A program speaks of images without deploying them. What counts are literals: of an image with its tag, of a name that
 * such an image takes its tag from, and of a version that is named so, or that stands close to the name of Lightdash.
 */
function decidingInCode(
  entry: Entry,
  { reference, isUsed, isSpread, takesFrom, takesHere, imports }: About,
  isNear: IsNear,
): Deciding[] {
  const { key, path } = entry;
  // Where one comes from is not what is deployed.
  const value = entry.value.replaceAll(/["'`]--from["'`],\s*["'`]v?\d[\w.-]*["'`]/g, '');
  const text = withoutClient(textOf({ ...entry, value }));
  if (harmlessKeys.test(key) || isOfClient(key) || isOfAnother(entry, isNear(entry), isSpread)) return [];
  const deciding = { entry, text: `${key}=${plain(value)}` };
  if (referenceInCode(text) === 'release') {
    const images = [...text.matchAll(bareImage)].map(([image]) => image);
    const isBare = images.length > 0 && referenceInCode(text.replaceAll(bareImage, '')) === undefined;
    return [isBare && !versionForm.test(text) ? { entry, text: images.join(' '), isBare } : deciding];
  }
  const own = withoutClient(value).replaceAll(sentence, '');
  const isRelease = versionForm.test(own) || /sha256:[0-9a-f]{8}/.test(own);
  const isGiven = (names: ReadonlySet<string>) =>
    namesIn(text).some((name) => names.has(name) && (name === key || isAssigned(text, name)));
  const isLiteral = /["'`][^\s"'`]+["'`]/.test(own);
  if (isLiteral && isGiven(isRelease ? takesFrom : takesHere)) return [deciding];
  const calls = [...path, text].flatMap((one) =>
    [...one.matchAll(/([A-Za-z_]\w*)\(/g)].map(([, name = '']) => name),
  );
  const isArgument =
    calls.some((name) => imports.has(name)) ||
    path.some((one) => /["'`]lightdash["'`]/i.test(one) || isNameOfRelease(withoutClient(one)));
  const says = wordsOf(key).some((word) => saysRelease.has(word));
  if (isLiteral && (isRelease ? isArgument || isSpread : isSpread && says)) return [deciding];
  if (!isRelease || !(isUsed || reference === 'release')) return [];
  const around = [...path, key, own];
  const isSaid = around.some((one) => wordsOf(one).some((word) => saysRelease.has(word)));
  const isTakenAround = path.some((one) => namesIn(one).some((name) => takesFrom.has(name)));
  return isSaid || isTakenAround || isNear(entry, 3) ? [deciding] : [];
}

/** A version in a sentence, or in what is said between spaces, is no value. */
const sentence = /(["'`])[A-Z][a-z]*\s(?:(?!\1).)*\.\1/g;

function isOfClient(key: string): boolean {
  return namesLightdash(key) && !namesLightdash(withoutClient(key));
}

/** Whether an entry may name a file or a folder. */
function isPlace({ key, path }: Entry): boolean {
  return placeKeys.test(key) || path.some((step) => deployKeys.test(step));
}

function namesIn(text: string): readonly string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}

/** Whether a text gives a name its value. */
function isAssigned(text: string, name: string): boolean {
  return new RegExp(`\\b(?<!\\s--)${name}\\b["'\\]]*\\s*(?::|=(?!=)|\\?=)`).test(text);
}

/** What is no release, whatever the word in its key. */
const harmlessKeys =
  /pull[_-]?(?:polic|secret)|^(?:apiVersion|kubeVersion|schemaVersion|required_version|requiredVersion|manifestVersion|terraform_version|minVersion|engine_?version|plugin_?version|tls\w*|\$schema|packageManager)$/i;
const noRelease = /^labels$|^required_providers\b/;
const deployKeys =
  /^(?:COMPOSE_\w+|profiles?|build|dockerfile|context|target|extends|env_file|envFrom|valueFiles|valuesFrom|values_files|chartRef|sourceRef|channel|branch|ref|targetRevision|postRenderers)$/i;
const placeKeys =
  /^(?:path|file|files|source|src|url|repoURL|include|includes|resources|bases|components|patches|envs|base|from|directory|directories|modules?|import|environment|stack|values|uses|)$/i;
const commands =
  /^FROM\s|\b(?:docker|podman|nerdctl|helm|helmfile|kubectl|kustomize|terraform|tofu|nomad|skaffold|ansible-playbook|make)\b.*\s(?:-[fk]|--?(?:file|values|env-file|var-file|profile|set\S*|version|tag|chart\S*))\b/;

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

/** How much and how many, in a map or a call that is written in one line. */
const sizes =
  /\b(?:cpus?|(?:desired|min|max)?count|memory(?:Mi?B)?|replicas|ports?|instances|timeout|retries)["']?\s*[:=]\s*["']?\d+(?:\.\d+)?[a-z]*["']?(?=\s*(?:[,;)}\]]|$))/gi;

/** The same text, in whichever quotes and with whichever spaces, without options that say how much and where. */
function plain(text: string): string {
  return text
    .replaceAll(
      /(?<=\s)(?:-[mp]|--?(?:kubernetes-version|memory|cpus|publish|restart|network|timeout|wait-timeout|replicas))[ =]\S+/g,
      '',
    )
    .replaceAll(sizes, '')
    .replaceAll(/["'`,;]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Pairs what differs; what a judged move explains is left out. */
function differences(
  was: readonly Deciding[],
  is: readonly Deciding[],
  moves: readonly Move[],
): readonly (readonly [Deciding | undefined, Deciding | undefined])[] {
  const isOfLines = [...was, ...is].some(({ entry }) => entry.document === undefined);
  if (isOfLines) return orderedDifferences(was, is, moves);
  const open = new Map([...groupBy(is, ({ text }) => text)].map(([text, group]) => [text, [...group]]));
  const take = (text: string) => open.get(text)?.pop() !== undefined;
  const gone = was
    .filter(({ text }) => !take(text))
    .filter(({ text }) => !moves.some((move) => take(moved(text, move))));
  const come = [...open.values()].flat();
  const keyOf = ({ text }: Deciding) => text.slice(0, text.indexOf('='));
  const pairs = gone.map((old) => {
    const at = come.findIndex((now) => keyOf(now) === keyOf(old));
    return [old, at < 0 ? undefined : come.splice(at, 1)[0]] as const;
  });
  return [...pairs, ...come.map((now) => [undefined, now] as const)];
}

/** Lines count in their order. */
function orderedDifferences(
  was: readonly Deciding[],
  is: readonly Deciding[],
  moves: readonly Move[],
): readonly (readonly [Deciding | undefined, Deciding | undefined])[] {
  const isSame = (old: Deciding | undefined, now: Deciding | undefined) =>
    old !== undefined &&
    now !== undefined &&
    (old.text === now.text || moves.some((move) => moved(old.text, move) === now.text));
  let start = 0;
  while (start < was.length && isSame(was[start], is[start])) start += 1;
  let end = 0;
  while (end < Math.min(was.length, is.length) - start && isSame(was.at(-1 - end), is.at(-1 - end))) end += 1;
  const [old, now] = [was.slice(start, was.length - end), is.slice(start, is.length - end)];
  const length = Math.max(old.length, now.length);
  return Array.from({ length }, (_, i) => [old[i], now[i]] as const).filter(
    ([one, other]) => !isSame(one, other),
  );
}

function moved(text: string, { from, to }: Move): string {
  return text.replaceAll(new RegExp(`(?<![\\d.])${from.replaceAll('.', '\\.')}(?![\\d.]*\\d)`, 'g'), to);
}

function written({ key, value, document, path }: Entry): string {
  const keys = document === undefined ? key : path.join('.');
  return keys === '' ? value : `${keys}: ${value}`;
}
