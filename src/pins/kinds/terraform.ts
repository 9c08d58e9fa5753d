import { memoizeByObject } from '../../core/common/memoize.js';
import { isLightdashRepository, isNameOfPin } from '../../core/lightdash-name.js';
import { captured } from '../../core/text/captured.js';
import { parseImageReference } from '../../instance/image-reference.js';
import type { WrittenPlace } from '../written-place.js';
import { onlyLightdash } from '../yaml/charts.js';
import { findLightdash } from '../yaml/lightdash-places.js';
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
    return placesIn(read, releasesIn(read));
  },
};

/** Whether the releases of Helm, as Terraform's provider has them, are of Lightdash, by their names. */
type Releases = ReadonlyMap<string, boolean>;

function releasesIn({ strings }: HclFile): Releases {
  const charts = strings.filter(
    ({ path }) => path[1] === 'helm_release' && path.length === 4 && path[3] === 'chart',
  );
  return new Map(charts.map(({ path, value }) => [nameAround(path), isLightdashRepository(value)]));
}

/** The name of the block of Terraform that a path leads into: `resource.helm_release.bi`. */
function nameAround(path: readonly string[]): string {
  return path.slice(0, 3).join('.');
}

function placesIn(file: HclFile, releases: Releases): readonly WrittenPlace[] {
  const namesOfTags = namesGiven(file, releases);
  return file.strings.flatMap((string): readonly WrittenPlace[] => {
    const { path, value, offset, isHeredoc } = string;
    const isOfRelease = releases.get(nameAround(path));
    if (isOfRelease === false) return [];
    if (isHeredoc) return placesInYaml(string, isOfRelease);
    if (/[$%]\{|\\/.test(value)) return [];
    const at = { name: nameOf(string, file), written: value, offset };
    const { repository, tag, digest } = parseImageReference(value);
    if ((tag ?? digest) !== undefined && isLightdashRepository(repository ?? '')) return [at];
    if (!/^v?\d+\.\d+\.\d+/i.test(value)) return [];
    const keys = path.filter((key) => !/^\d+$/.test(key));
    if (isOfRelease) return isTagOfValues(string, file) ? [at] : [];
    const named = keys.at(-1) === 'default' && keys[0] === 'variable' ? keys.slice(0, -1) : keys;
    const isGiven = namesOfTags.has(
      named
        .slice(-2)
        .join('.')
        .replace(/^variable\./, 'var.')
        .replace(/^locals\./, 'local.'),
    );
    return isGiven || (!isOfCode(named) && isNameOfPin(named.join('.'))) ? [at] : [];
  });
}

/** Whether it is the version of a provider or a module, which is that of its code. */
function isOfCode(path: readonly string[]): boolean {
  return path.includes('required_providers') || (path[0] === 'module' && path.at(-1) === 'version');
}

/** Whether a string is the tag among the values of a release: `set` with its name, or a key of `yamlencode`. */
function isTagOfValues(string: HclString, file: HclFile): boolean {
  const { path } = string;
  const inside = path.slice(3).filter((key) => !/^\d+$/.test(key));
  if (inside[0] === 'set') {
    return path.at(-1) === 'value' && /^(?:lightdash\.)?image\.tag$/.test(nameBeside(string, file) ?? '');
  }
  return inside[0] === 'values' && inside.slice(-2).join('.') === 'image.tag' && inside.length <= 5;
}

/** Variables that the tag of an image or of a release of Lightdash is taken from: `var.tag`, `local.version`. */
function namesGiven(file: HclFile, releases: Releases): ReadonlySet<string> {
  const { strings, names } = file;
  const inImages = strings.flatMap(({ value }) =>
    captured(value, /lightdash[\w.-]{0,60}:\$\{((?:var|local)\.\w{1,120})\}/gi),
  );
  const inReleases = names.flatMap((hclName) => {
    const { path, name } = hclName;
    if (releases.get(nameAround(path)) !== true) return [];
    const isTag = nameBeside(hclName, file) === 'image.tag' || path.slice(-2).join('.') === 'image.tag';
    return isTag ? [name] : [];
  });
  return new Set([...inImages, ...inReleases]);
}

/** The places of Lightdash in a text of YAML or JSON. */
function placesInYaml(
  { path, value, offset }: HclString,
  isOfRelease: boolean | undefined,
): readonly WrittenPlace[] {
  const inner = readIfYaml(value, '');
  const charts = isOfRelease ? onlyLightdash : undefined;
  return (inner ? findLightdash(inner, charts && { around: charts, isUsed: true }) : []).flatMap(
    ({ path: inside, scalar, isTagless }) => {
      if (isTagless || typeof scalar?.value !== 'string') return [];
      const [at = 0] = scalar.range ?? [];
      const start = value.indexOf(scalar.value, at);
      if (scalar.value.includes('$') || start < 0 || start - at > 1) return [];
      return [{ name: [...path, ...inside].join('.'), written: scalar.value, offset: offset + start }];
    },
  );
}

/** By the name of a `set`, and not by its place among others. */
function nameOf(string: HclString, file: HclFile): string {
  const keys = string.path.filter((key) => !/^\d+$/.test(key));
  const name = keys.at(-1) === 'value' ? nameBeside(string, file) : undefined;
  return name === undefined ? keys.join('.') : [...keys.slice(0, -1), name].join('.');
}

/** The `name` in the same block or object. */
function nameBeside({ body }: Pick<HclString, 'body'>, file: HclFile): string | undefined {
  return namesIn(file).get(body);
}

const namesIn = memoizeByObject(
  ({ strings }: HclFile) =>
    new Map(strings.filter(({ path }) => path.at(-1) === 'name').map(({ body, value }) => [body, value])),
);
