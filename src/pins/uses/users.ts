import { isMap, isSeq, visit, type YAMLMap } from 'yaml';
import { once } from '../../core/once.js';
import { type Entry, entriesOfLines, type IsNear, kindsOf, nearLightdash } from '../entries.js';
import { isYaml } from '../kinds/yaml.js';
import { isSourceCode } from '../names/no-deployment.js';
import { isNameOfAnother } from '../names/other-programs.js';
import {
  addNamesTaken,
  namesLightdash,
  namesUsedIn,
  referenceIn,
  referenceInCode,
  saysRelease,
  wordsOf,
} from '../names/reference.js';
import { folderOf } from '../pin-tree.js';
import { isFetchedOther, listsCharts } from '../yaml/chart-parts.js';
import { readIfYaml } from '../yaml/open.js';
import { type Asked, askedIn } from './asked.js';
import { packagesIn, pathsIn } from './paths-in.js';

/** A file that refers to Lightdash. */
export interface User {
  readonly file: string;
  readonly isCompose: boolean;
  /** Whether it is a script that is told what to do by its arguments. */
  readonly takesArguments: boolean;
  /** What other scripts can call of it: its functions in a shell. */
  readonly functions: readonly string[];
  readonly takesFrom: ReadonlySet<string>;
  /** The paths that it may name, and those that it names where it speaks of Lightdash. */
  readonly paths: ReadonlySet<string>;
  readonly ownPaths: readonly string[];
  /** Those that it names beside what refers to Lightdash. */
  readonly pathsBeside: readonly string[];
  /** Of a program, the modules whose objects it spreads into one that speaks of Lightdash. */
  readonly spreads: ReadonlySet<string>;
  /** The objects of Kubernetes that it names, each `<kind>/<name>`. */
  readonly objects: readonly string[];
  /** What it takes values from without naming a file: the data values of ytt. */
  readonly asks: readonly string[];
  /** What it calls the services and the containers with an image of Lightdash. */
  readonly services: ReadonlySet<string>;
  /** How it names the image of what it calls Lightdash: kustomize sets its tag by that name. */
  readonly images: readonly string[];
  /** The names that it uses, and those of them that give nothing but images of other programs their tag. */
  readonly names: ReadonlySet<string>;
  readonly namesOfOthers: ReadonlySet<string>;
  /** What it asks for of other files. */
  readonly asked: readonly Asked[];
  /** Of a chart, the names that it gives to Lightdash's. */
  readonly aliases: readonly string[];
  /** Of a chart, the paths of its values that say whether Lightdash's is installed: its conditions and its tags. */
  readonly switches: readonly string[];
  /** Of a chart, what its values call the others, from a repository, that it depends on. */
  readonly otherParts: readonly string[];
}

/**
 * The same YAML in blocks, where it is one map in braces, or several stand in one line: each line then takes its own names
 * from elsewhere.
 */
export function inBlocks(file: string, text: string): string {
  const isInBraces = /^\s*\{(?!\{)/.test(text) || (text.includes('$') && mapsInLine.test(text));
  const read = isYaml(file) && isInBraces ? readIfYaml(text, file) : undefined;
  if (read === undefined) return text;
  const inBlock = (_: unknown, node: { flow?: boolean }) => {
    node.flow = false;
  };
  const inPlainWords = (_: unknown, node: { type?: string }) => {
    delete node.type;
  };
  const visitor = { Collection: inBlock, Scalar: inPlainWords };
  for (const { document } of read.documents) visit(document, visitor);
  return read.documents.map(({ document }) => document.toString({ lineWidth: 0 })).join('---\n');
}

const mapsInLine = /\} *, *(?:["']?[\w.-]+["']? *: *)?\{/;

export function userIn(file: string, written: string): User | undefined {
  const text = inBlocks(file, written);
  const lines = entriesOfLines(text);
  const referenceOf = once(isSourceCode(file) ? referenceInCode : referenceIn);
  const references = lines.filter(({ key, value }) => referenceOf(`${key}=${value}`) === 'release');
  const isByName = !isSourceCode(file) && deploys.test(text);
  const user = userOf(file, text, lines, references);
  const isUser = references.length > 0 || (isByName && namesLightdash(text)) || user.spreads.size > 0;
  return isUser ? user : undefined;
}

/** The modules of a program whose objects are spread: into any, or into those near some lines. */
export function spreadIn(
  file: string,
  text: string,
  lines: readonly Entry[],
  isNear: IsNear = () => true,
): ReadonlySet<string> {
  if (!isSourceCode(file) || !spreading.test(text)) return new Set();
  const spread = lines
    .filter((line) => isNear(line, 3))
    .flatMap(({ value }) => [...value.matchAll(spreads)].flatMap((match) => match.slice(1)))
    .join(' ');
  const modules = [...text.matchAll(imports)].flatMap(([, bound, from, called, by, python, taken]) => {
    const names = (bound ?? called ?? taken ?? '').match(/\w+/g) ?? [];
    const isTaken = names.some((name) => new RegExp(`\\b${name}\\b`).test(spread));
    return isTaken ? [from ?? by ?? `./${python?.replace(/^\./, '').replaceAll('.', '/')}`] : [];
  });
  return new Set([...modules, spread].flatMap((path) => pathsIn(path, folderOf(file))));
}

const spreading = /\.\.\.|\*\*|\b(?:assign|merge|defaults|extend)/;

export const spreads =
  /(?:\.{3}|\*\*)\(?((?:await\s+)?\w+(?:\([^)]*\))?)|\b(?:assign|merge|defaults|extend)\w*\(([^)]*)/gi;

/** What is bound, and the module it is bound to. */
const imports =
  /\bimport\s+(?:type\s+)?([^'";]*?)\s+from\s+["']([^"']+)["']|\b(?:const|let|var)\s+([^=;]*?)\s*=\s*(?:await\s+)?(?:require|import)\(\s*["']([^"']+)["']|^from\s+([\w.]+)\s+import\s+([^\n]+)/gm;

/** Words of files that deploy something. */
const deploys = /image|tag|version|chart|kind|container|extends|roles|module|patches|resources/i;

export function userOf(
  file: string,
  text: string,
  lines: readonly Entry[],
  references: readonly Entry[] = [],
): User {
  const takesFrom = new Set(references.flatMap(({ value }) => namesUsedIn(value)));
  const isBesideOne = isBeside(references, lines);
  const own = lines.filter((line) => isBesideOne(line) || line.path.some((step) => ownBlock.test(step)));
  const namesOfOthers = references.length > 0 ? namesOfOthersIn(file, text, lines) : new Set<string>();
  for (const name of namesOfRelease(own)) if (!namesOfOthers.has(name)) takesFrom.add(name);
  addNamesTaken(takesFrom, lines);
  const owner = file.endsWith('.pp') ? /^(?:class|define)\s+(?:\w+::)*(\w+)/m.exec(text)?.[1] : undefined;
  if (owner !== undefined) for (const name of [...takesFrom]) takesFrom.add(`${owner}.${name}`);
  for (const [, ofStore, ofName = ''] of text.matchAll(stored)) takesFrom.add(ofStore ?? ofName);
  for (const [, last, field = last ?? ''] of text.matchAll(fieldGiven))
    for (const name of [field, field.replace(/^data\./, '')]) takesFrom.add(name);
  if (/\b(?:vars|secrets)\./.test(text))
    for (const [, name = ''] of text.matchAll(environmentGiven)) takesFrom.add(name);
  const isCompose = isYaml(file) && /^["']?services["']?\s*:/m.test(text);
  const folder = folderOf(file);
  // A path that has the word says nothing of those beside it.
  const isAbout = once(
    (text: string) => namesLightdash(text) && namesLightdash(text.replaceAll(/[\w.@~-]*[./][\w./@~-]*/g, '')),
  );
  const aboutLightdash = lines.filter(({ path, value }) => path.some(namesLightdash) || isAbout(value));
  const packages = isSourceCode(file) ? [...text.matchAll(/["']@[\w-]+\/([\w-]+)["']/g)] : [];
  const spreads: ReadonlySet<string> = namesLightdash(text)
    ? spreadIn(file, text, lines, nearLightdash(lines))
    : new Set();
  const images = references.filter(({ key }) => isCompose && key === 'image');
  return {
    ...{ file, takesFrom, isCompose, spreads },
    functions: [...text.matchAll(/^[ \t]*(?:function[ \t]+)?([A-Za-z_][\w-]{3,})\s*\(\)\s*\{/gm)].map(
      ([, name = '']) => name,
    ),
    takesArguments: /\$\{?[1-9@*]|\bargv\b|\bCLI_ARGS\b/i.test(text),
    paths: new Set([
      ...pathsIn(text, folder),
      ...packagesIn(file, text),
      ...packages.map(([, name = '']) => `@/${name}`),
      ...spreads,
    ]),
    ownPaths: [...new Set(aboutLightdash.map(({ value }) => value))].flatMap((value) =>
      pathsIn(value, folder),
    ),
    pathsBeside: [...new Set(own.map(({ value }) => value))].flatMap((value) => pathsIn(value, folder)),
    objects: isYaml(file) && /kind|configMap/.test(text) ? objectsIn(text, file) : [],
    asks: /\bdata\.values\./.test(text) ? ['@data/values'] : [],
    services: new Set([
      ...images.map(({ path }) => path.at(-2)?.replace(/:$/, '') ?? ''),
      ...[...text.matchAll(container)].map(([, name, service = '']) => name ?? service),
    ]),
    images: imagesOfContainers(text, file),
    names: new Set(lines.flatMap(({ value }) => namesUsedIn(value))),
    namesOfOthers,
    asked: askedIn(lines, folder, takesFrom),
    ...partsIn(text, file),
  };
}

/** The name of a value in a store of parameters, such as that of AWS or Consul. */
const stored =
  /\b(?:key\w*|ssm|param\w*|secret\w*|vault|consul)\b[\s=(,:"'\\]*\/?((?:[\w.-]+\/)+[\w.-]+)|\bname\s*[=:]\s*["']\/((?:[\w.-]+\/)+[\w.-]+)/gi;

/** The last two steps of a field that Crossplane or kustomize copies from, or the last if it is in brackets. */
const fieldGiven =
  /fieldPath["']?\s*:\s*["']?(?:[\w.]+\.)??(?:\[([\w.-]+)\]|((?!metadata|status)\w+\.[\w-]+))(?![\w.[-])/gi;

/** A block of Terraform that is called Lightdash. */
const ownBlock = /^resource "\w+" "lightdash\w*" \{$/i;

/** What a workflow is given, and takes as the environment whose variables it has. */
const environmentGiven = /^\s*environment:\s*(?:\n\s*|\{\s*)?(?:name:\s*)?["']?\$\{\{\s*(inputs\.[\w-]+)/gm;

export const isTerraform = /\.(?:tf|tofu|hcl)$/;

/** Whether a line stands in the same map, or the same item of a list, as something that refers to Lightdash. */
function isBeside(references: readonly Entry[], lines: readonly Entry[]): (line: Entry) => boolean {
  const items = new Set(lines.flatMap(({ path }) => path.filter((step) => step.startsWith('- '))));
  const maps = new Set(
    references.map(({ path, key, value }) => {
      const item = `- ${key}: ${value}`;
      return [...path.slice(0, -1), ...(items.has(item) ? [item] : [])].join('\0');
    }),
  );
  maps.delete('');
  return ({ path }) => {
    let around: string | undefined;
    return path.some((step) => {
      around = around === undefined ? step : `${around}\0${step}`;
      return maps.has(around);
    });
  };
}

/** What lines take a release from, which say so themselves or by the line before. */
export function namesOfRelease(lines: readonly Entry[]): readonly string[] {
  const saysOne = (line: Entry | undefined) =>
    wordsOf(`${line?.key} ${line?.value}`).some((word) => saysRelease.has(word));
  return lines.flatMap((line, i) => {
    const isSaid = saysOne(line) || (line.key === 'value' && saysOne(lines[i - 1]));
    return isSaid ? namesUsedIn(line.value) : [];
  });
}

/**
 * The names that give images of other programs, whose own names are written out and are theirs too, their tag, and stand
 * nowhere else: `BILLING_TAG` in `acme/billing:${BILLING_TAG}`, or a variable of Terraform in a block with their chart.
 */
function namesOfOthersIn(file: string, text: string, lines: readonly Entry[]): ReadonlySet<string> {
  const charts = new Map(
    lines
      .filter(({ key }) => isTerraform.test(file) && key === 'chart')
      .map(({ path, value }) => [path[0], value]),
  );
  const given = new Map<string, number>();
  for (const { path, value } of lines) {
    const chart = /^var\.\w+$/.test(value) && /^"([\w./-]+)"$/.exec(charts.get(path[0]) ?? '')?.[1];
    const found = chart
      ? [['', chart, value]]
      : [imageByName, fetchedByName, chartByName].flatMap((form) => [...value.matchAll(form)]);
    for (const [, image = '', tag = ''] of found) {
      const words = new Set(wordsOf(image));
      if (namesLightdash(image)) continue;
      for (const name of new Set(namesUsedIn(tag))) {
        if (wordsOf(name).some((word) => words.has(word) && !saysRelease.has(word)))
          given.set(name, (given.get(name) ?? 0) + 1);
      }
    }
  }
  const isOnly = ([name, count]: readonly [string, number]) => {
    const own = `(?<!\\w)${name.replaceAll('.', '\\.')}(?!\\w)`;
    const [all, set] = [own, `(?<=^|[\\s"',]|[^$]\\{)(?<!\\?\\s*)${own}(?=["']?\\s*(?:=(?!=)|:))`].map(
      (form) => text.match(new RegExp(form, 'gm'))?.length ?? 0,
    );
    return Number(all) === count + Number(set);
  };
  return new Set([...given].filter(isOnly).map(([name]) => name));
}

/** An image that is written out, with a tag that is filled in. */
const imageByName =
  /(?<=^|[\s"'])((?:[\w.-]+(?::\d+)?\/)*[a-z][\w.-]*):(\$\{[^{}]*\}|\{\{[^{}]*\}\}|\$\w+)(?=["'\s]|$)/g;

/** The same of what is fetched from an address, or of a package. */
const fetchedByName =
  /^(?!.*lightdash).*\b(https?:\/\/[\w./-]+\/|[a-z][\w.-]*(?:==|@))([^\s"']*\$\{?\w+\}?)/gi;

/** The chart that Helm deploys, and what it is given behind it. */
const chartByName =
  /^(?!.*lightdash)(?!.*[|;&]).*\bhelm\s.*\b(?:upgrade|install|template)\s(?:.*\s)?(?:oci:\/\/)?([\w.-]+(?:\/[\w.-]+)+)\s(.*)$/gi;

/** As Helm has them: the first condition that has a value decides; without one, a tag does. */
function switchesOf(dependency: YAMLMap): readonly string[] {
  const [condition, tags] = [dependency.get('condition'), dependency.get('tags')];
  return [
    ...(typeof condition === 'string' ? condition.split(',').flatMap((path) => path.trim() || []) : []),
    ...(isSeq(tags) ? tags.items.map((tag) => `tags.${tag}`) : []),
  ];
}

/** The names of Lightdash's chart among the dependencies of a chart where they are aliases, and those of the others. */
function partsIn(text: string, file: string): Pick<User, 'aliases' | 'switches' | 'otherParts'> {
  const parts = { aliases: [] as string[], switches: [] as string[], otherParts: [] as string[] };
  if (!/\balias:/.test(text) && !listsCharts.test(file)) return parts;
  for (const { nodes } of readIfYaml(text, file)?.documents ?? []) {
    for (const { node } of nodes()) {
      if (!isMap(node)) continue;
      const [name, alias] = [node.get('name'), node.get('alias')];
      if (namesLightdash(String(name))) {
        if (typeof alias === 'string') parts.aliases.push(alias);
        parts.switches.push(...switchesOf(node));
      }
      if (isFetchedOther(node)) parts.otherParts.push(String(alias ?? name));
    }
  }
  return parts;
}

const refers = /chartRef|sourceRef|valuesFrom|substituteFrom|envFrom|configMap|replacements|ImageRepository/;

/** A container in a manifest, and a service whose map is written in one line. */
const container =
  /\bname:\s*["']?([\w-]+)["']?\s*,?\s*image:\s*["']?[^\s"']*lightdash|([\w-]+)["']?:\s*\{[^{}]*\bimage["']?:\s*["']?[^\s"',}]*lightdash/gi;

/**
 * The images, without their tags, of containers that are Lightdash's by their own names or by what they are given, and of
 * the first container of an object that is called so.
 */
function imagesOfContainers(text: string, file: string): readonly string[] {
  if (!isYaml(file) || !namesLightdash(text) || !text.includes('ontainers')) return [];
  return (readIfYaml(text, file)?.documents ?? []).flatMap(({ document, nodes }) => {
    const isCalledSo = [String(document.getIn(['metadata', 'name'])), ...kindsOf(document.contents)].some(
      isOfLightdash,
    );
    return nodes().flatMap(({ path, node }) => {
      if (!isSeq(node) || !/^(?:initC|c)ontainers$/.test(path.at(-1) ?? '')) return [];
      return node.items.filter(isMap).flatMap((item, i) => {
        const image = item.get('image');
        const isOwn =
          (isCalledSo && i === 0) ||
          isOfLightdash(String(item.get('name'))) ||
          given.test(JSON.stringify(item));
        return isOwn && typeof image === 'string' ? [image.replace(/[:@][^/]*$/, '')] : [];
      });
    });
  });
}

function isOfLightdash(name: string): boolean {
  return namesLightdash(name) && !isNameOfAnother(name);
}

/** What only the server is given. */
const given = /"LIGHTDASH_SECRET"|"(?:secret|configMap)Ref":\{"name":"lightdash/;

/**
 * The objects that a text refers to, by kind and name: of charts and their sources, values, and what is replaced. With
 * the repositories of its images, which a policy of Flux refers to.
 */
function objectsIn(text: string, file: string): readonly string[] {
  if (!refers.test(text)) return [];
  const nameIn = (map: YAMLMap, key: string) => {
    const value = map.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const documents = readIfYaml(text, file)?.documents ?? [];
  return documents.flatMap(({ nodes }) =>
    nodes().flatMap(({ path, node }) => {
      if (!isMap(node)) return [];
      const kind = /^configMap/.test(path.at(-1) ?? '') ? 'ConfigMap' : nameIn(node, 'kind');
      const isOfImage = kind === 'ImageRepository' && namesLightdash(String(node.getIn(['spec', 'image'])));
      const name = isOfImage ? String(node.getIn(['metadata', 'name'])) : nameIn(node, 'name');
      return kind === undefined || name === undefined ? [] : [`${kind}/${name}`];
    }),
  );
}
