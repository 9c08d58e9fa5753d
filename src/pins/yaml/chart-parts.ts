import { isMap, isSeq, type YAMLMap } from 'yaml';
import { decoded, filesBelow, folderOf, idsOf, type PinTree, partsOfCharts } from '../pin-tree.js';
import { openIfYaml } from './open.js';

/**
 * What the charts around a file have that may decide the tag of Lightdash where none is written: equal if nothing of
 * that differs.
 *
 * @returns undefined if it is not known: a link may lead anywhere
 */
export async function decidedByCharts(tree: PinTree, file: string): Promise<string | undefined> {
  const all = partsOfCharts(tree, folderOf(file));
  const others = new Set((await Promise.all(all.map((part) => othersIn(tree, part)))).flat());
  const parts = all.filter((part) => !others.has(archiveIn(part)));
  if (idsOf(tree, parts) === undefined) return undefined;
  const texts = parts.map((part) => (listsCharts.test(part) ? ofLightdash(tree, part) : idsOf(tree, [part])));
  return (await Promise.all(texts)).join('\0');
}

/** The files in which a chart, or the lock beside it, lists the charts that it depends on. */
export const listsCharts = /(?:^|\/)(?:Chart|requirements)\.(?:yaml|lock)$/;

/** The other charts, from a repository, that a chart lists, by the names of their archives: `grafana-8.0.0`. */
async function othersIn(tree: PinTree, part: string): Promise<readonly string[]> {
  if (!listsCharts.test(part) || tree.files.get(part)?.kind !== 'file') return [];
  const dependencies = (await documentOf(tree, part))?.get('dependencies');
  return (isSeq(dependencies) ? dependencies.items : []).flatMap((item) =>
    isMap(item) && isFetchedOther(item) ? [`${item.get('name')}-${item.get('version')}`] : [],
  );
}

/** The list of a chart, or the chart itself. */
async function documentOf(tree: PinTree, part: string) {
  return (await openIfYaml(tree, part))?.documents[0]?.document;
}

/** The list of a chart without other programs, and of the rest what its templates take from it. */
async function ofLightdash(tree: PinTree, part: string): Promise<string | undefined> {
  const contents = (await documentOf(tree, part))?.contents;
  const taken = await takenByTemplates(tree, `${folderOf(part)}templates/`);
  if (taken === undefined || !isMap(contents)) return idsOf(tree, [part]);
  const dependencies = contents.get('dependencies');
  const items = isSeq(dependencies) ? dependencies.items : [];
  const ownDependencies = items.filter((item) => !(isMap(item) && isFetchedOther(item)));
  const values = ['name', 'appVersion', ...taken].map((key) => contents.get(key));
  return JSON.stringify([...values, ownDependencies]);
}

/**
 * The keys of a chart that its templates take: `version` for `.Chart.Version`, but for the label that says which chart it is.
 *
 * @returns undefined if that is not known
 */
async function takenByTemplates(tree: PinTree, folder: string): Promise<readonly string[] | undefined> {
  const keys = new Set<string>();
  for (const { file } of filesBelow(tree).get(folder) ?? []) {
    const entry = tree.files.get(file);
    if (entry?.kind !== 'file') return undefined;
    const text = decoded(await tree.read(entry));
    for (const [, name] of text.replaceAll(labelOfChart, '').matchAll(/\.Chart\b(?:\.(\w{1,40}))?/g)) {
      if (name === undefined) return undefined;
      keys.add(`${name.charAt(0).toLowerCase()}${name.slice(1)}`);
    }
  }
  return [...keys].toSorted();
}

const labelOfChart =
  /\bprintf "%s-%s" \$?\.Chart\.Name \$?\.Chart\.Version\b|\$?\.Chart\.Name \}\}-\{\{-? ?\$?\.Chart\.Version\b/g;

/**
 * The copy of a chart in `charts/`, with its version, if that is not the one that its dependency asks for by its alias:
 * Helm deploys it without the alias, and so without its values (`findings/helm-old-copy-loses-its-alias.sh`).
 */
export async function copyWithoutAlias(
  tree: PinTree,
  file: string,
  { name, alias, version }: Readonly<Record<'name' | 'alias' | 'version', string>>,
): Promise<string | undefined> {
  if (alias === name) return undefined;
  const folder = `${folderOf(file)}charts/`;
  for (const { file: copy } of filesBelow(tree).get(folder) ?? []) {
    const versionOfFile = await versionOfCopy(tree, copy, copy.slice(folder.length), name);
    if (versionOfFile !== undefined && versionOfFile !== version.replace(/^[=v]/, ''))
      return `${copy} of version ${versionOfFile}`;
  }
  return undefined;
}

/** The version of an archive of the chart, by its name, or of its folder; undefined if it is neither. */
async function versionOfCopy(
  tree: PinTree,
  file: string,
  below: string,
  name: string,
): Promise<string | undefined> {
  const [, ofArchive] =
    /^v?(\d[^/]*)\.tgz$/.exec(below.startsWith(`${name}-`) ? below.slice(name.length + 1) : '') ?? [];
  if (ofArchive !== undefined || !/^[^/]+\/Chart\.yaml$/.test(below)) return ofArchive;
  const chart = await documentOf(tree, file);
  return chart?.get('name') === name ? String(chart.get('version')).replace(/^v/, '') : undefined;
}

/** Whether it is another chart, from a repository, which gives nothing to the chart around it. */
export function isFetchedOther(item: YAMLMap): boolean {
  const text = JSON.stringify(item);
  return fromRepository.test(String(item.get('repository'))) && !/lightdash|import-values/i.test(text);
}

/** A repository of charts, other than a folder. */
export const fromRepository = /^(?:https?:|oci:|alias:|@)/;

/** The name of the chart that a part is the archive of. */
function archiveIn(part: string): string {
  return /(?:^|\/)charts\/([^/]+)\.tgz$/.exec(part)?.[1] ?? '';
}
