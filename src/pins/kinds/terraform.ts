import { parseImageReference } from '../../instance/image-reference.js';
import type { WrittenPlace } from '../written-place.js';
import { isNamedLightdash } from '../yaml/image-places.js';
import { findLightdash, isPinOfLightdash, onlyLightdash } from '../yaml/lightdash-places.js';
import { readIfYaml } from '../yaml/open.js';
import { type HclFile, type HclString, readHcl } from './hcl.js';
import type { TextKind } from './kind.js';

/**
 * Terraform, OpenTofu, Terragrunt and Nomad: images, variables with their defaults and their files, `helm_release` with
 * `set` and `values`, definitions of containers in JSON.
 */
export const terraformKind: TextKind = {
  matches: (file, text) => /\.(?:tf|tofu|tfvars|hcl|nomad)$/i.test(file) && /lightdash/i.test(text),
  places: async ({ text }) => {
    const read = readHcl(text);
    if (read === undefined) return [];
    const releases = releasesIn(read);
    const places = placesIn(read, releases);
    return [...places, ...chartsBesideTags(read, releases, places)];
  },
};

/** The versions of charts whose release has its tag written: there, they move nothing. */
function chartsBesideTags(
  { strings }: HclFile,
  releases: readonly Release[],
  places: readonly WrittenPlace[],
): readonly WrittenPlace[] {
  const tagged = releases.filter(
    ({ name, isLightdash }) => isLightdash && places.some((place) => place.name.startsWith(`${name}.`)),
  );
  const charts = new Set(tagged.map(({ name }) => `${name}.version`));
  return strings
    .filter(({ path }) => charts.has(path.join('.')))
    .map(({ path, value, offset }) => {
      const fault = 'it is the version of a chart, and not of Lightdash';
      return { name: path.join('.'), written: value, offset, fault, isOther: true };
    });
}

/** A release of Helm, as Terraform's provider has it. */
interface Release {
  readonly path: readonly string[];
  readonly name: string;
  readonly isLightdash: boolean;
}

function releasesIn({ strings }: HclFile): readonly Release[] {
  const charts = strings.filter(
    ({ path }) => path[1] === 'helm_release' && path.length === 4 && path[3] === 'chart',
  );
  return charts.map(({ path, value }) => {
    const around = path.slice(0, 3);
    return { path: around, name: around.join('.'), isLightdash: isNamedLightdash(value) };
  });
}

function placesIn(file: HclFile, releases: readonly Release[]): readonly WrittenPlace[] {
  const given = namesGiven(file, releases);
  return file.strings.flatMap((string): readonly WrittenPlace[] => {
    const { path, value, offset, isHeredoc } = string;
    const release = releases.find((one) => isBelow(path, one.path));
    if (release?.isLightdash === false) return [];
    if (isHeredoc) return placesInYaml(string, release);
    if (/[$%]\{|\\/.test(value)) return [];
    const at = { name: nameOf(string, file), written: value, offset };
    const { repository, tag, digest } = parseImageReference(value);
    if ((tag ?? digest) !== undefined && isNamedLightdash(repository ?? '')) return [at];
    if (!/^v?\d+\.\d+\.\d+/i.test(value)) return [];
    const keys = path.filter((key) => !/^\d+$/.test(key));
    if (release !== undefined) {
      return isTagOfValues(string, file, release) ? [at] : [];
    }
    const named = keys.at(-1) === 'default' && keys[0] === 'variable' ? keys.slice(0, -1) : keys;
    const isGiven = given.has(
      named
        .slice(-2)
        .join('.')
        .replace(/^variable\./, 'var.')
        .replace(/^locals\./, 'local.'),
    );
    const isProvider = named.includes('required_providers');
    return isGiven || (!isProvider && isPinOfLightdash(named.join('.'))) ? [at] : [];
  });
}

/** Whether a string is the tag among the values of a release: `set` with its name, or a key of `yamlencode`. */
function isTagOfValues(string: HclString, file: HclFile, release: Release): boolean {
  const { path } = string;
  const inside = path.slice(release.path.length).filter((key) => !/^\d+$/.test(key));
  if (inside[0] === 'set') {
    return path.at(-1) === 'value' && /^(?:lightdash\.)?image\.tag$/.test(nameBeside(string, file) ?? '');
  }
  return inside[0] === 'values' && inside.slice(-2).join('.') === 'image.tag' && inside.length <= 5;
}

/** Variables that the tag of an image or of a release of Lightdash is taken from: `var.tag`, `local.version`. */
function namesGiven(file: HclFile, releases: readonly Release[]): ReadonlySet<string> {
  const { strings, names } = file;
  const inImages = strings.flatMap(({ value }) =>
    [...value.matchAll(/lightdash[\w.-]*:\$\{((?:var|local)\.\w+)\}/gi)].map(([, name = '']) => name),
  );
  const inReleases = names.flatMap((one) => {
    const { path, name } = one;
    const release = releases.find(({ path: around }) => isBelow(path, around));
    if (release?.isLightdash !== true) return [];
    const isTag = nameBeside(one, file) === 'image.tag' || path.slice(-2).join('.') === 'image.tag';
    return isTag ? [name] : [];
  });
  return new Set([...inImages, ...inReleases]);
}

/** The places of Lightdash in a text of YAML or JSON. */
function placesInYaml(
  { path, value, offset }: HclString,
  release: Release | undefined,
): readonly WrittenPlace[] {
  const inner = readIfYaml(value, '');
  const charts = release?.isLightdash ? onlyLightdash : undefined;
  return (inner ? findLightdash(inner, charts) : []).flatMap(({ path: inside, scalar, isTagless }) => {
    if (isTagless || typeof scalar?.value !== 'string') return [];
    const [at = 0] = scalar.range ?? [];
    const start = value.indexOf(scalar.value, at);
    if (scalar.value.includes('$') || start < 0 || start - at > 1) return [];
    return [{ name: [...path, ...inside].join('.'), written: scalar.value, offset: offset + start }];
  });
}

/** By the name of a `set`, and not by its place among others. */
function nameOf(string: HclString, file: HclFile): string {
  const keys = string.path.filter((key) => !/^\d+$/.test(key));
  const name = keys.at(-1) === 'value' ? nameBeside(string, file) : undefined;
  return name === undefined ? keys.join('.') : [...keys.slice(0, -1), name].join('.');
}

/** The `name` in the same block or object. */
function nameBeside({ body }: Pick<HclString, 'body'>, { strings }: HclFile): string | undefined {
  return strings.find((one) => one.body === body && one.path.at(-1) === 'name')?.value;
}

function isBelow(path: readonly string[], around: readonly string[]): boolean {
  return path.length > around.length && around.every((key, i) => path[i] === key);
}
