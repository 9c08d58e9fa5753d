import { isMap, isSeq, type YAMLMap } from 'yaml';
import { isNameOfAnother } from '../names/other-programs.js';
import { namesLightdash } from '../names/reference.js';
import { filesBelow, folderOf, idsOf, type PinTree, partsOfCharts, readText } from '../pin-tree.js';
import { readIfYaml } from './open.js';

/**
 * What the charts around a file have that may decide the tag of Lightdash where none is written: equal if nothing of
 * that differs.
 *
 * @returns undefined if it is not known: a link may lead anywhere
 */
export async function decidedByCharts(tree: PinTree, file: string): Promise<string | undefined> {
  const parts = partsOfCharts(tree, folderOf(file)).filter((part) => !isOfAnother(archiveIn(part)));
  if (idsOf(tree, parts) === undefined) return undefined;
  const texts = parts.map((part) => (listsCharts.test(part) ? ofLightdash(tree, part) : idsOf(tree, [part])));
  return (await Promise.all(texts)).join('\0');
}

/** The files in which a chart, or the lock beside it, lists the charts that it depends on. */
export const listsCharts = /(?:^|\/)(?:Chart|requirements)\.(?:yaml|lock)$/;

/** The list of a chart without other programs, and without its own version, unless it has a template to write it. */
async function ofLightdash(tree: PinTree, part: string): Promise<string | undefined> {
  const contents = readIfYaml((await readText(tree, part)) ?? '', part)?.documents[0]?.document.contents;
  const templates = `${folderOf(part)}templates/`;
  if (filesBelow(tree).has(templates) || !isMap(contents)) return idsOf(tree, [part]);
  const dependencies = contents.get('dependencies');
  const items = isSeq(dependencies) ? dependencies.items : [];
  const own = items.filter(
    (item) => !(isMap(item) && (isOfAnother(String(item.get('name'))) || isFetchedOther(item))),
  );
  return JSON.stringify([contents.get('name'), contents.get('appVersion'), own]);
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

function isOfAnother(name: string): boolean {
  return isNameOfAnother(name) && !namesLightdash(name);
}
