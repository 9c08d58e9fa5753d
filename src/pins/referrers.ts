import { isLightdashRepository, namesLightdash } from '../core/lightdash-name.js';
import { captured } from '../core/text/captured.js';
import { digestsIn, subjectOf, versionsIn } from './compare/values.js';
import { type Entry, entriesOfLines } from './entries.js';
import { isYaml } from './kinds/yaml.js';
import { addNamesTaken, largestText, namesTakenIn, refersIn, saysRelease } from './names.js';
import { pathsIn } from './paths-in.js';
import { folderOf } from './pin-tree.js';
import { isSourceCode, isTestOrSchema } from './what-files-are.js';
import { listsCharts } from './yaml/chart-parts.js';
import { chartsOfLightdash } from './yaml/charts.js';
import { readIfYaml } from './yaml/open.js';

/** @returns undefined if the file refers to no release of Lightdash */
export function referrerIn(file: string, text: string): Referrer | undefined {
  if (text.length > largestText || isTestOrSchema(file, text)) return undefined;
  const lines = entriesOfLines(text);
  const references = lines.filter(({ key, value }) => refersIn(file)(`${key}=${value}`));
  const isByName = !isSourceCode(file) && namesLightdash(text) && deploying.test(text);
  return references.length > 0 || isByName ? referrerOf(file, text, lines, references) : undefined;
}

/** Words of files that deploy something. */
const deploying = /image|tag|version|chart|kind|container|extends|roles|module|patches|resources/i;

export type Referrer = ReturnType<typeof referrerOf>;

/** A file that refers to Lightdash, with the names and paths that it uses itself; what those use is not followed. */
function referrerOf(file: string, text: string, lines: readonly Entry[], references: readonly Entry[]) {
  const isAlone = captured(text, namedChart).every(isLightdashRepository) && charts.test(text);
  const ownBlocks = new Set(
    references.map(({ path }) => path.at(-2) ?? '').filter((step) => blocks.test(step)),
  );
  const isInOwn = (step: string) => ownBlocks.has(step) || ownBlock.test(step);
  const ownLines = lines.filter(
    ({ key, value, names, path }) =>
      (path.some(isInOwn) && (saysRelease(`${key} ${value}`) || names.includes('image.tag'))) ||
      (isAlone && givesTag(key, value, names, path)),
  );
  const takesFrom = new Set([
    ...[...references, ...ownLines].flatMap(({ value }) => namesTakenIn(value)),
    ...(listsCharts.test(file) ? switchesIn(file, text) : []),
  ]);
  addNamesTaken(takesFrom, lines);
  const linesWithValue = [...ownLines, ...lines.filter(({ key }) => takesFrom.has(key))];
  const writing = [...references, ...linesWithValue.filter((line) => subjectOf(line) !== 'another')];
  return {
    file,
    /** The names from which its references take a value. */
    takesFrom,
    /** The paths that it may name. */
    paths: new Set(pathsIn(text, folderOf(file))),
    /** Those of them that it names elsewhere than in the items of other programs in a list. */
    ownPaths: new Set(pathsIn(withoutOthers(text), folderOf(file))),
    /** The releases and the digests that it writes where it refers to Lightdash. */
    deployed: writing.flatMap(({ value }) => [...versionsIn(value), ...digestsIn(value)]),
    /** Whether it deploys a chart of Lightdash, and whether it writes a tag for it. */
    deploysChart: charts.test(text),
    writesTag: writesTagIn(text),
    isCompose: isYaml(file) && /^["']?services["']?\s{0,3}:/m.test(text),
    /** The names of the objects of Kubernetes that it refers to, such as the chart that a HelmRelease takes by `chartRef`. */
    objects: text
      .split(/^---/m)
      .filter(namesLightdash)
      .flatMap((part) => captured(part, namedObject)),
    /** The stages of a Dockerfile. */
    stages: captured(text, stage),
    /** The keys below which its references stand, such as services of compose. */
    services: references.flatMap(({ path, value }) =>
      captured([...path.slice(0, -1), value].join(' '), opened),
    ),
  };
}

/** A text without the documents and items of its outermost lists that have a chart or an image, and not Lightdash's name. */
function withoutOthers(text: string): string {
  const indents = captured(text, /^( {0,20})- /gm).map((spaces) => spaces.length);
  if (indents.length === 0) return text;
  const items = text.split(new RegExp(`^(?= {${Math.min(...indents)}}- |---)`, 'm'));
  return items
    .filter((item) => namesLightdash(item) || !/\b(?:chart|image|repoURL)["']?:/.test(item))
    .join('');
}

/** A key that opens a map, on a line of its own or in braces. */
const opened = /(?<![\w.-])["']?([\w.-]{1,80})["']?:(?: ?\{| |$)/g;

const stage = /^FROM [^\n]{1,300} AS ([\w.-]{1,80})\s{0,9}$/gim;

/** An object that is named below a key: `chartRef: {kind: HelmChart, name: bi}`. */
const namedObject =
  /\b\w{0,30}(?:Ref|From)["']?:[\s[{-]{0,60}(?:\w{1,20}: ?["']?[\w./-]{1,80}["']?[,\s]{1,40}){0,3}name: ?["']?([\w.-]{1,80})/g;

const charts =
  /source\s{0,40}=\s{0,40}"[^"\n]{0,200}lightdash|chart["']?\s{0,40}[:=]\s{0,40}["']?(?:[\w./:-]{1,120}\/)?lightdash|\bhelm\b[^\n]{0,80}\b(?:upgrade|install|template)\b[^\n]{0,200}lightdash|name:\s{0,3}["']?lightdash/i;

export function writesTagIn(text: string): boolean {
  return tags.test(text);
}

const tags =
  /image\.tag|lightdash_?(?:image_?)?(?:tag|version)["']?\s{0,40}[:=]|\b(?:tag|newTag|imageTag)["']?\s{0,40}[:=]\s{0,40}["']?[\w$"{]/;

/** Whether a line gives a chart its tag: as a value `image.tag`, also of a list in one line, or below `image:`. */
function givesTag(key: string, value: string, names: readonly string[], path: readonly string[]): boolean {
  return (
    names.includes('image.tag') ||
    /^\[\{ ?name: ?["']?image\.tag\b/.test(value) ||
    (key === 'tag' && path.at(-2) === 'image:')
  );
}

/** What names a chart. */
const namedChart = /\bchart["']?\s{0,40}[:=]\s{0,40}["']?([\w./:-]{1,200})/g;

/** What opens a block of Terraform, or an item of a list by its name. */
const blocks = /^\w{1,20} "[^\n]{1,200}\{$|^- \w{1,40}: ?\S/;
/** What opens such a block with the name of Lightdash. */
const ownBlock =
  /^resource "\w{1,80}" "lightdash\w{0,80}" \{$|^- (?:name|chart): ?["']?(?:[\w.-]{1,80}\/)?lightdash["']?$/i;

/** The values by which Helm installs a chart of Lightdash on which another one depends. */
function switchesIn(file: string, text: string): readonly string[] {
  const documents = readIfYaml(text, file)?.documents ?? [];
  return documents.flatMap(chartsOfLightdash).flatMap(({ switches }) => switches);
}
