import { memoize } from '../../core/common/memoize.js';
import { isCompanion, isLightdashRepository, namesLightdash, wordsOf } from '../../core/lightdash-name.js';
import { parseImageReference } from '../../instance/image-reference.js';
import type { Entry } from '../entries.js';
import { longestLine, saysRelease, withoutClient } from '../names.js';

/** The versions in a text, each of three numbers, without a `v`. An address of four numbers is none. */
export function versionsIn(text: string): readonly string[] {
  return text.match(version) ?? [];
}

const version = /(?<![\d.])\d{1,4}\.\d{1,4}\.\d{1,4}(?![\d]|\.\d)/g;

/** The digests of images in a text. */
export function digestsIn(text: string): readonly string[] {
  return text.match(/sha256:[0-9a-f]{8,64}/g) ?? [];
}

/** The items of one list that the other lacks; an item that stands twice here and once there counts once. */
export function lacking(of: readonly string[], inOther: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const text of inOther) left.set(text, (left.get(text) ?? 0) + 1);
  return of.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count < 1;
  });
}

/**
 * Whose value it is: Lightdash's, another program's, or nobody's that is named. An image with its name decides; without
 * one, the names that lead to the value, the nearest first.
 */
export type Subject = 'Lightdash' | 'another' | 'nobody';

export function subjectOf(entry: Entry): Subject {
  const image = imageOf(entry);
  if (image !== undefined) return isLightdashRepository(image) ? 'Lightdash' : 'another';
  const { path, key, names } = entry;
  const named = nameInLine(entry);
  if (named !== undefined) return subjectOfName(named) === 'Lightdash' ? 'Lightdash' : 'another';
  // A comment that names an image says it of this very line, as for Renovate.
  const comment = names.find((name) => name.startsWith('# '));
  if (comment !== undefined) return subjectOfName(comment);
  const [beside, around] = [names.toReversed(), path.slice(0, -1).toReversed()];
  // A part of Lightdash's own chart that runs another program, below the name of that chart.
  if (isCompanion(around.find((step) => subjectOfName(step) !== 'nobody') ?? '')) return 'another';
  for (const name of [key, ...beside.slice(0, 1), ...around, ...beside.slice(1)]) {
    const subject = subjectOfName(name);
    if (subject !== 'nobody') return subject;
  }
  return 'nobody';
}

/** The name in a map or a call that is written in one line: `{Name: "billing", Tag: "3.4.1"}`. */
export function nameInLine({ value }: Entry): string | undefined {
  return value.length > longestLine ? undefined : inlineName.exec(value)?.[1];
}

const inlineName =
  /(?:^|[\s{(,])["']?(?:name|app|service|repository|chart)["']?\s{0,3}[:=]\s{0,3}["'`]([\w./-]{1,120})["'`]/i;

/** Whose a name is: of `LIGHTDASH_TAG` Lightdash's, of `VAULT_VERSION` another's, of `image.tag` nobody's. */
export function subjectOfName(name: string): Subject {
  if (name.length > longestLine) return 'nobody';
  if (namesLightdash(name)) return isCompanion(name) ? 'another' : 'Lightdash';
  return wordsOf(name).some((word) => !general.has(word)) ? 'another' : 'nobody';
}

/** Whose a folder is: nobody's where it is called after what deploys from it, or after what Lightdash is for. */
export function subjectOfFolder(name: string): Subject {
  return ofTools.test(name) ? 'nobody' : subjectOfName(name.replaceAll(purposes, ''));
}

const purposes = /(?<![a-z])(?:analytics|bi|dashboards?|data|insights|reporting)(?![a-z])/gi;
const ofTools =
  /^(?:ansible|argo(?:-?cd)?|clusters?|deploy\w*|flux(?:-?cd)?|gitops|helm|infra\w*|k8s|kubernetes|nomad|ops|packs?|platform|pulumi|roles?|tekton|terraform|tofu)$/i;

/**
 * The image that a value is a part of, whose name is written out: in the value with its tag, or beside it. Of several, one
 * of Lightdash.
 */
export function imageOf({ key, value, names }: Entry): string | undefined {
  const image = imageWritten(value);
  if (image !== undefined) return image;
  if (namesLightdash(value)) return undefined;
  const [beside = ''] = names.slice(-1);
  const named = /^[\w.-]+(?:\/[\w.-]+)+$/.test(beside) && !namesLightdash(beside) ? beside : undefined;
  const isOfImage = named !== undefined && /^[\w./:-]+$/.test(named) && (saysRelease(key) || key === 'value');
  return isOfImage ? named : undefined;
}

const imageWritten = memoize((value): string | undefined => {
  const images = (value.length > longestLine ? [] : (value.match(written) ?? [])).map(
    (image) => parseImageReference(image).repository ?? '',
  );
  return images.find(isLightdashRepository) ?? images[0];
});

const written =
  /(?<![\w./:@$}-])(?:[\w-][\w.-]{0,80}(?::\d{1,5})?\/){0,6}(?!v\d)[a-z][\w.-]{0,80}(?::v?\d{1,5}(?:\.\d{1,5}){1,3}[\w.-]{0,60}|@sha256:[0-9a-f]{8,64})(?!\/)/g;

/** Words that say nothing of which program it is. */
const general = new Set(
  (
    'a all an and annotations app application applications apps arg argument arguments args as at base build bump c chart charts com command ' +
    'commit common component components config configuration const container containers context current data default defaults definition ' +
    'definitions dependencies dependency deploy deployed deployment deployments desired dev dict element elements digest docker entry env environment environments ' +
    'export extra final for from full generator generators global group host hosts http https id image images in input inputs inventory io item items job jobs ' +
    'key kind kustomization label labels latest let line list local locals lock locked main major map match meta metadata minor module modules ' +
    'name namespace new next object of old on output override overrides oci org package param parameter parameters params patch ' +
    'patches path pin pinned pins play pod preprod prod production profile project pull readonly ref references registry rel release releases replicas repo repository ' +
    'resource resources result rev revision role roles rollout root run running runtime sandbox script section select semver server service services set ' +
    'settings sha source spec stack stage staging static step steps str string style svc system tag tags target task tasks template templates test tests the ' +
    'to true type uat uses val value values var variable variables vars ver version versions with workload workloads yaml yml ' +
    'workflow dispatch on call push build backend frontend web worker scheduler public private final class def fn func function return var val x y v k'
  ).split(' '),
);

/** Whether an entry says no release by its key, or by where it stands, whatever words it has. */
export function saysNoRelease(file: string, { key, path, names }: Entry): boolean {
  return (
    harmlessKeys.test(key) ||
    path.some((step) => noRelease.test(step)) ||
    filters.test(path.join('.')) ||
    isOfClient(key) ||
    isOfPackages(file, path) ||
    isOfModule(path, key) ||
    names.some((name) => name.startsWith('# ') && isCompanion(name))
  );
}

/** What is no release, whatever the word in its key. */
const harmlessKeys =
  /pull[_-]?(?:polic|secret)|passw(?:or)?d|^(?:apiVersion|kubeVersion|schemaVersion|required_version|requiredVersion|manifestVersion|terraform_version|min\w{0,40}version|engine_?version|maintenance_?version|plugin_?version|tls\w*|\$schema|packageManager|description|title|help|generated|lastmodified|mac)$/i;

/** Blocks that say no release: labels, annotations, ports, which provider, and what encrypts a file. */
const noRelease = /^(?:labels|annotations|ports|sops|encryptedData|enum|examples?):?$|^required_providers\b/;

/** For which files a pipeline of GitHub or GitLab runs, and what its cache is called. */
const filters = /\b(?:(?:push|pull_request\w*)\.paths|(?:rules\.\d+|only|except)\.changes|cache\.key)\b/;

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
  if (/(?:^|\/)(?:package|composer)\.json$/.test(file)) {
    const isOfLibrary =
      /[dD]ependencies$|^(?:engines|files|publishConfig)$/.test(section) || path.at(-1) === 'version';
    return path.length === 1 || (isOfLibrary && !path.some(namesLightdash));
  }
  return (
    /(?:^|\/)(?:pyproject|Cargo)\.toml$/.test(file) &&
    /^(?:project|package|dependencies|tool\.poetry)/.test(section)
  );
}
