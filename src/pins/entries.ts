import { isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { isLightdashRepository, namesLightdash } from '../core/lightdash-name.js';
import { keyText, type YamlDocument } from '../gather/files/yaml.js';
import { isCalledLightdash, longestLine, withoutClient } from './names.js';
import { readIfYaml } from './yaml/open.js';
import type { PinFile } from './yaml/pin-documents.js';

/** A value of a file with what leads to it, or a line of it. */
export interface Entry {
  /** The keys that lead to it; in lines, the lines around them that are less indented. */
  readonly path: readonly string[];
  readonly key: string;
  readonly value: string;
  readonly line: number;
  /** Which document of the file, from 0; undefined for a line. */
  readonly document: number | undefined;
  /** Names beside it, and beside what leads to it: of an image, a chart, a container. */
  readonly names: readonly string[];
  /** The object of Kubernetes that its document is, `<kind>/<name>`. */
  readonly object?: string | undefined;
}

/** What the place of a value already says about it. */
type About = Pick<Entry, 'names' | 'document' | 'object'>;

/** The values of YAML and JSON, whatever their order and form. */
export function entriesOfYaml({ text: whole, documents, lineOf }: PinFile): readonly Entry[] {
  const entries: Entry[] = [];
  /** The text that is read: the whole file, or one that is a value of it. */
  let read = whole;
  let resolve: YamlDocument['resolve'] = (node) => node;
  const add = (node: unknown, path: readonly string[], about: About): void => {
    if (isMap(node) && read.startsWith('{{', node.range?.[0])) {
      // As YAML, what a template fills in is a map in a map.
      const text = read.slice(node.range?.[0], node.range?.[1]);
      entries.push(entryOf(text, path, lineOf(node), about));
    } else if (isMap(node)) {
      for (const [key, value, inside] of itemsOf(node, about)) add(value, [...path, key], inside);
    } else if (isSeq(node)) {
      const called = node.items.map(stringOf).filter((text) => text !== undefined && isCalledLightdash(text));
      const inside = { ...about, names: [...about.names, ...called.map(String)] };
      for (const [i, item] of node.items.entries())
        add(item, [...path, String(i)], called.length === 0 ? about : inside);
    } else addValue(node, path, about);
  };
  const addValue = (node: unknown, path: readonly string[], about: About): void => {
    const meant = resolve(node);
    const plain = isScalar(meant) ? String(meant.value ?? '') : isAlias(node) ? `*${node.source}` : '';
    const isEncoded = read === whole && path[0] === 'data' && about.object?.startsWith('Secret/');
    const text = isEncoded ? Buffer.from(plain, 'base64').toString() : plain;
    const line = lineOf(node);
    const inner = /[\n{]/.test(text) ? readIfYaml(text, '') : undefined;
    if (
      inner?.documents.some(
        (yamlDocument) => isMap(yamlDocument.document.contents) || isPatch(yamlDocument.document.contents),
      )
    ) {
      // Lines count within the embedded text: all its entries get the line of the value in the file.
      const before = entries.length;
      const around = [read, resolve] as const;
      read = text;
      for (const yamlDocument of inner.documents) {
        resolve = yamlDocument.resolve;
        add(yamlDocument.document.contents, path, about);
      }
      [read, resolve] = around;
      for (const [i, entry] of entries.slice(before).entries()) entries[before + i] = { ...entry, line };
    } else if (text.includes('\n')) {
      for (const lineEntry of entriesOfLines(text)) {
        const at = { path: [...path, ...lineEntry.path], names: about.names, line: line + lineEntry.line };
        entries.push({ ...lineEntry, ...at, document: about.document, object: about.object });
      }
    } else entries.push(entryOf(text, path, line, about));
  };
  for (const [document, yamlDocument] of documents.entries()) {
    const object = objectOf(yamlDocument.document.contents);
    resolve = yamlDocument.resolve;
    add(yamlDocument.document.contents, [], { names: [], document, object });
  }
  const commentNames = findCommentNames(whole);
  if (commentNames.size === 0) return entries;
  return entries.map((entry) => {
    const about = commentNames.get(entry.line);
    return about === undefined ? entry : { ...entry, names: [...entry.names, about] };
  });
}

/** Operations of a JSON patch, written as text in another file. */
function isPatch(contents: unknown): boolean {
  return isSeq(contents) && contents.items.every((item) => isMap(item) && item.has('op'));
}

/** The keys of a map with their values, and what the map says about each. */
function itemsOf(map: YAMLMap, about: About): readonly (readonly [string, unknown, About])[] {
  const texts = map.items.map(({ key, value }) => [keyText(key), stringOf(value)] as const);
  const byKey = new Map(texts);
  /** Of an operation of a JSON patch, its path names the subject. */
  const isName = (key: string, text: string) => (byKey.has('op') ? key === 'path' : isNameBeside(key, text));
  const beside = texts.flatMap(([key, text]) => (text && isName(key, text) ? [text] : []));
  const inside = beside.length === 0 ? about : { ...about, names: [...about.names, ...beside] };
  return map.items.map(({ value }, i) => [texts[i]?.[0] ?? '', value, inside]);
}

function isNameBeside(key: string, text: string): boolean {
  return (
    nameKeys.test(key) ||
    (isCalledLightdash(text) && subjectKeys.test(key)) ||
    (fetchedBy.test(key) && isLightdashRepository(text)) ||
    variable.test(text) ||
    // What is only called after it, such as `lightdash-db`, may be anything.
    (key === 'container_name' && /^lightdash$/i.test(text)) ||
    (key === 'uses' && namesLightdash(withoutClient(text)))
  );
}

function entryOf(text: string, path: readonly string[], line: number, about: About): Entry {
  const { document, object, names } = about;
  const [, name, set = ''] = (text.includes('=') && /^([A-Za-z_][\w.-]*)=(.*)$/.exec(text)) || [];
  if (name !== undefined)
    return { path: [...path, name], key: name, value: set, line, document, names, object };
  const key = path.findLast((step) => !/^\d+$/.test(step)) ?? '';
  return { path, key, value: text, line, document, names, object };
}

/** `<kind>/<name>` of the object in a document; of an ImagePolicy of Flux, the repository of images that it reads. */
function objectOf(contents: unknown): string | undefined {
  if (!isMap(contents)) return undefined;
  const images = contents.getIn(['spec', 'imageRepositoryRef', 'name']);
  if (images !== undefined) return `ImageRepository/${images}`;
  const [kind, name] = [
    contents.get('kind'),
    contents.getIn(['metadata', 'name']) ?? contents.getIn(['metadata', 'generateName']),
  ];
  return name === undefined ? undefined : `${kind ?? ''}/${name}`;
}

/** Keys that say what is described beside them. */
const nameKeys =
  /^(?:name|repository|repo|src|newName|image|chart|releaseName|containerName|family|package|depName|ParameterKey)$/;

/** Keys that say of Lightdash that all beside them is about it, unlike `namespace`, in which others live too. */
const subjectKeys = /^(?:app|application|service|component|product|workload|role|title|path|id|Name)$/;
/** Keys that say which image or chart is fetched, and often only from where. */
const fetchedBy = /^(?:repoURL|remoteChart|imageName)$/;
/** What a template calls a value that it asks for. */
const variable = /^\$\$\w+$/;

function stringOf(node: unknown): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}

/** The lines of any other text, without comments, with those that a backslash joins as one. */
export function entriesOfLines(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  const around: { readonly indent: number; readonly text: string; readonly names: string[] }[] = [];
  const top = { names: [] as string[] };
  const blocks: { readonly entry: number; readonly names: readonly string[] }[] = [];
  let section = '';
  let joined = '';
  const commentNames = findCommentNames(text);
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const line = withoutComment(raw).trimEnd();
    if (line === '') continue;
    if (line.endsWith('\\')) {
      joined += `${line.slice(0, -1)} `;
      continue;
    }
    const whole = joined + line;
    joined = '';
    if (whole.length > longestLine) {
      entries.push({ path: [], key: '', value: whole, line: i + 1, document: undefined, names: [] });
      continue;
    }
    const heading = whole.includes('[') ? sectionHeading.exec(whole)?.[1] : undefined;
    if (heading !== undefined) section = heading;
    const indent = whole.length - whole.trimStart().length;
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop();
    const block = around.at(-1) ?? top;
    const above = around.map(({ text: opening }) => opening);
    if (section !== '') above.unshift(section);
    const own = { indent, text: whole.trim(), names: [] as string[] };
    around.push(own);
    const [, opened, inside = whole] = blockInLine.exec(whole.trim()) ?? [];
    if (opened !== undefined) above.push(opened);
    const [, key = '', value = whole.trim()] = assignment.exec(inside) ?? [];
    const [, literal = ''] = literalName.exec(value) ?? [];
    const isName = blockNames.test(key) || (fetchedBy.test(key) && isLightdashRepository(literal));
    const named = isName && literal !== '' ? literal : undefined;
    // Below a block, as its name may come last, and in an item of a list; at the top, nothing stands together.
    if (named !== undefined && own.text.startsWith('- ')) own.names.push(named);
    else if (named !== undefined && block !== top) block.names.push(named);
    const names = [commentNames.get(i + 1)].filter((name) => name !== undefined);
    blocks.push({ entry: entries.length, names: block.names });
    entries.push({ path: above.concat(key), key, value, line: i + 1, document: undefined, names });
  }
  for (const { entry, names } of blocks) {
    const blockEntry = entries[entry];
    const others = names.filter((name) => name !== blockEntry?.value);
    if (blockEntry !== undefined && others.length > 0)
      entries[entry] = { ...blockEntry, names: [...others, ...blockEntry.names] };
  }
  if (joined !== '')
    entries.push({ path: [], key: '', value: joined.trim(), line: 1, document: undefined, names: [] });
  return entries;
}

/**
 * The names of Lightdash in comments, by the number of the line that each comment describes: its own, or the next one if
 * it stands alone. Read are the comments of Renovate, Flux and kpt, and those that are nothing but a name. Each name
 * gets a `#` in front, which no other name has.
 */
function findCommentNames(text: string): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  if (!comments.test(text)) return names;
  let above: string | undefined;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const [code, comment] = line.length > longestLine ? [line, ''] : splitComment(line.trim());
    const isTelling = /^(?:renovate:|\{"\$imagepolicy":|kpt-set:|[\w./-]+$)/.test(comment);
    const named = isTelling ? nameInComment.exec(comment)?.[0] : undefined;
    const name = named ?? above;
    if (code !== '' && name !== undefined) names.set(i + 1, `# ${name}`);
    above = code === '' && line !== '' ? name : undefined;
  }
  return names;
}

/** Splits a line into its code and the text of its comment. */
function splitComment(line: string): readonly [code: string, comment: string] {
  const at = /(?:^|\s)(?:#|\/\/)/.exec(line)?.index;
  return at === undefined
    ? [line, '']
    : [
        line.slice(0, at),
        line
          .slice(at)
          .trim()
          .replace(/^(?:#|\/\/)\s{0,9}/, ''),
      ];
}

const comments =
  /(?:renovate:|\$imagepolicy|kpt-set:)[^\n]{0,300}lightdash|(?:#|\/\/)\s{0,9}[\w./-]{0,80}lightdash[\w-]{0,60}\s{0,9}$/im;
const nameInComment = /(?<![\w./-])(?:[\w.-]{1,60}\/){0,6}lightdash[\w-]{0,60}(?:\/[\w-]{1,40})?(?![\w./-])/i;

/** The keys and the literal by which a block of lines names its program. */
const blockNames = /^(?:name|repository|repo|image|chart|app|service|Name|ParameterKey)$/;
const literalName = /^["'`]?([\w./-]{1,120})["'`]?[,;]?$/;

const assignment =
  /^\s{0,200}(?:(?:export|ENV|ARG|LABEL|set|env|const|let|var|val|def|local|readonly|declare|typeset|static|public|private|final|String|-\w?)\s{1,9}){0,6}["'`]?([\w.\-[\]@/]{1,200})["'`]?\]?\s{0,80}(?::=|\?=|\+=|=>|=|:)\s{0,80}(.*)$/;
/** A block of Terraform in one line, with one value: `variable "lightdash_tag" { default = "1.2.3" }`. */
const blockInLine = /^(\w{1,20}(?: "[\w.-]{1,80}"){0,2} \{) ([\w.-]{1,80} {0,20}= {0,20}[^{}=]{1,300}) \}$/;
const sectionHeading = /^\s{0,80}\[{1,2}([^[\]]{1,200})\]{1,2}$/;

/** Comments are of no interest, but those that a program reads: `#@` of ytt, `#!`, and markers in braces. */
function withoutComment(line: string): string {
  if (line.length > longestLine) return line;
  const start = line.trimStart();
  if (/^(?:#(?=[\s#]|$)|\/\/|;(?=\s)|--\s|\*\s|REM\s)/i.test(start) || isBlockComment(start.trimEnd())) {
    return /\{["']?\$|lightspan:/.test(line) ? line : '';
  }
  if (/["'`]/.test(line)) return line;
  const at = /\s(?:#|\/\/)\s/.exec(line)?.index;
  return at === undefined ? line : line.slice(0, at);
}

function isBlockComment(line: string): boolean {
  return (line.startsWith('/*') && line.endsWith('*/')) || (line.startsWith('<!--') && line.endsWith('-->'));
}

/** An entry as one text: the keys that lead to it and its value, or its line. */
export function textOf({ document, path, key, value }: Entry, sign = '='): string {
  const keys = document === undefined ? key : path.join('.');
  return keys === '' ? value : `${keys}${sign}${value}`;
}
