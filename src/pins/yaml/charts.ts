import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { memoizeByObject } from '../../core/common/memoize.js';
import { isCompanion, isLightdashRepository, namesLightdash } from '../../core/lightdash-name.js';
import type { YamlDocument } from '../../gather/files/yaml.js';
import { isCalledLightdash } from '../names.js';

/** What is known of the charts that a document deploys: whether one is Lightdash's, and whether all are. */
export interface Charts {
  readonly isAny: boolean;
  readonly isOwn: boolean;
  readonly isOnly: boolean;
}

export const onlyLightdash: Charts = { isAny: true, isOwn: true, isOnly: true };

export const chartsAt = memoizeByObject((yamlDocument: YamlDocument): Charts => {
  const [all, ofLightdash] = [chartsIn(yamlDocument).length, chartsOfLightdash(yamlDocument).length];
  return { isAny: all > 0, isOwn: ofLightdash > 0, isOnly: ofLightdash > 0 && ofLightdash >= all };
});

/** The charts that decide a place: all of the document, or another program's alone if the place stands in its map. */
export function chartsFor(yamlDocument: YamlDocument, path: readonly string[]): Charts {
  const all = chartsAt(yamlDocument);
  if (!all.isOwn || all.isOnly) return all;
  const others = othersIn(yamlDocument);
  const isOfAnother = path.some((_, i) => others.has(path.slice(0, i).join('.')));
  return isOfAnother ? { isAny: true, isOwn: false, isOnly: false } : all;
}

/** The paths of charts of other programs, in whose maps nothing speaks of Lightdash. */
const othersIn = memoizeByObject((yamlDocument: YamlDocument): ReadonlySet<string> => {
  const others = chartsIn(yamlDocument).filter(
    ({ path }) => !partsOfLightdash(yamlDocument).has(path.join('.')),
  );
  return new Set(others.map(({ path }) => path.join('.')));
});

/** The paths of a document below which a key or a value has the name; the whole document is at the empty one. */
export const partsOfLightdash = memoizeByObject(({ nodes }: YamlDocument): ReadonlySet<string> => {
  const named = nodes().filter(({ path, node }) =>
    namesLightdash(`${path.at(-1)} ${isScalar(node) ? String(node.value) : ''}`),
  );
  return new Set(named.flatMap(({ path }) => ['', ...path.map((_, i) => path.slice(0, i + 1).join('.'))]));
});

/** A chart that a document deploys, or depends on. */
interface ChartPlace {
  readonly name: string;
  /** The key of its values in those of the chart that depends on it. */
  readonly alias: string;
  readonly path: readonly string[];
  /** What decides its version, as it is written. */
  readonly written: string;
  /** The values by which the chart that depends on it installs it: its conditions, and its tags. */
  readonly switches: readonly string[];
}

/** The charts in a document of Flux, Argo CD, Helmfile, Helmwave, Crossplane, kustomize or Helm. */
const chartsIn = memoizeByObject(({ nodes }: Pick<YamlDocument, 'nodes'>): readonly ChartPlace[] =>
  nodes().flatMap(({ path, node }) => {
    if (!isMap(node)) return [];
    const isItself = path.at(-1) === 'chart' || /^(?:dependencies|helmCharts)$/.test(path.at(-2) ?? '');
    const name = node.get(isItself ? 'name' : 'chart');
    if (typeof name !== 'string') return [];
    const [alias, written] = [String(node.get('alias') ?? name), `${name} ${versionIn(node)}`];
    return [{ name, alias, path, written, switches: switchesOf(node) }];
  }),
);

function switchesOf(dependency: YAMLMap): readonly string[] {
  const [condition, tags] = [dependency.get('condition'), dependency.get('tags')];
  const conditions = typeof condition === 'string' ? condition.split(',').map((path) => path.trim()) : [];
  return [...conditions, ...(isSeq(tags) ? tags.items.map((tag) => `tags.${tag}`) : [])];
}

/** The chart that an OCIRepository of Flux fetches, which a HelmRelease names by `chartRef`. */
function chartOfSource({ document }: Pick<YamlDocument, 'document'>): ChartPlace | undefined {
  const url = document.get('kind') === 'OCIRepository' ? document.getIn(['spec', 'url']) : undefined;
  if (typeof url !== 'string') return undefined;
  const [name, ref] = [url.replace(/^.*\//, ''), document.getIn(['spec', 'ref'])];
  const written = `${url} ${isMap(ref) ? versionIn(ref) : ''}`;
  return { name, alias: name, path: ['spec', 'ref'], written, switches: [] };
}

/** The charts of Lightdash: by their name, or, in a release called Lightdash, any chart that is no companion. */
export const chartsOfLightdash = memoizeByObject((yamlDocument: YamlDocument): readonly ChartPlace[] => {
  const { document } = yamlDocument;
  const isReleased =
    /^(?:HelmRelease|HelmChart|Application)$/.test(String(document.get('kind'))) &&
    isCalledLightdash(String(document.getIn(['metadata', 'name'])));
  const source = chartOfSource(yamlDocument);
  return [...chartsIn(yamlDocument), ...(source ? [source] : [])].filter(
    ({ name }) => isLightdashRepository(name) || (isReleased && !isCompanion(name)),
  );
});

function versionIn(map: YAMLMap): string {
  return [...versionKeys, 'repoURL', 'repository', 'repo', 'alias']
    .map((key) => String(map.get(key) ?? ''))
    .join(' ');
}

/** Keys with the version of a chart, or of what a source of Flux fetches. */
export const versionKeys = ['version', 'targetRevision', 'tag', 'semver', 'digest'];
