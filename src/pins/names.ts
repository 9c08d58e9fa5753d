import { memoize } from '../core/common/memoize.js';
import {
  isCompanion,
  isLightdashRepository,
  isNameOfRelease,
  isOfChart,
  namesLightdash,
  releaseWords,
  wordsOf,
} from '../core/lightdash-name.js';
import { captured } from '../core/text/captured.js';
import { isSourceCode } from './what-files-are.js';

/** A longer line is made by a program, and is not searched for names; nor is a larger file. */
export const longestLine = 2_000;
export const largestText = 256 * 1024;
/** A file with so long a line is not written by people at all, and pins nothing. */
const longestOfPeople = 64 * 1024;

/** Whether a program made a text: a bundle, a lock, what is encoded. */
export function isMadeByProgram(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    if ((end < 0 ? text.length : end) - start > longestOfPeople) return true;
    if (end < 0) return false;
    start = end + 1;
  }
  return false;
}

/**
 * The test for the lines of a file: whether a line, or a value with the keys that lead to it (`lightdash.image.tag=1.2.3`),
 * refers to what decides the release of Lightdash: its image, its chart, or a name for its tag. Clients, hosts, addresses
 * and companions do not. In source code only literals count: other names are the program's own.
 */
export function refersIn(file: string): (text: string) => boolean {
  const refers = isSourceCode(file) ? refersInCode : refersInText;
  return (text) => text.length <= longestLine && namesLightdash(text) && refers(text);
}

const refersInText = memoize((text: string): boolean => {
  const withoutClients = withoutClient(text);
  return namesRelease(withoutClients) || namesImage(withoutClients);
});

const refersInCode = memoize((line: string): boolean => {
  const literals = withoutClient(line).match(literal) ?? [];
  return literals.some((text) => namesLightdash(text) && (bareImage.test(text) || namesImage(text)));
});

/** Whether a text names an image of Lightdash, with a tag, a digest or one that is filled in, or where it is fetched. */
function namesImage(text: string): boolean {
  const plain = text.replaceAll(registryFilledIn, 'registry');
  const images = plain.match(imageWithTag) ?? [];
  const isNamed = () =>
    imageAlone.test(plain.replaceAll(noImage, ' ')) || forms.some((form) => form.test(plain));
  return images.some(isLightdashRepository) || isNamed();
}

/** A registry that is filled in, in quotes or with a default: `"$REGISTRY"/lightdash`, `${REGISTRY:-docker.io}/lightdash`. */
const registryFilledIn = /"\$\{?\w{1,80}\}?"(?=\/)|\$\{[^{}\s]{1,80}:[-?+=][^{}\s]{0,120}\}(?=\/)/g;

/** A path of the machine, or an object of Kubernetes by its kind: what is called so there is no image. */
const noImage =
  /(?<=^|[\s"'`=:(,])\/(?!\/)[\w./-]{0,200}|(?<![\w./-])(?:deploy(?:ments?)?|statefulsets?|sts|services?|svc|pods?|jobs?|cronjobs?|configmaps?|cm|secrets?)\/[\w.-]{1,80}(?=$|[\s"'`;|)])/g;

/** The name of an image alone, without a tag. */
const bareImage = /^["'`](?:[\w.-]{1,80}(?::\d{1,5})?\/){1,6}[\w-]{0,40}lightdash["'`]$/i;

const literal = /"[^"\n]{1,300}"|'[^'\n]{1,300}'|`[^`\n]{1,300}`/g;

/** What a text says of the client of Lightdash, its version too, is of no interest. */
export function withoutClient(text: string): string {
  return text.length <= longestLine && namesLightdash(text) ? text.replaceAll(client, '') : text;
}

const client =
  /(?<![\w.-])@lightdash\/[\w-]{1,60}(?:@[^\s"',]{1,60})?(?:["']?\s{0,40}[:=]\s{0,40}["']?[\^~]?[\w.-]{1,60})?|\blightdash[-_. ]?(?:cli|sdk|client|mcp)\w{0,60}(?:["']?\s{0,3}[:=@]{1,2}\s{0,3}["']?[\^~]?[\w.-]{1,60})?|\blightdash (?:deploy|preview|start-preview|stop-preview|refresh|validate|upload|download|login|logout|config|compile|generate|dbt|run|lint|sql|diagnostics|warehouse|set-warehouse|install-skills)\b[^;&|]{0,300}/gi;

/** An image with a tag or a digest, also one that is filled in: `lightdash/lightdash:${TAG}`. */
const imageWithTag =
  /(?<![\w./@:-])(?:[\w.{}$()-]{1,80}(?::\d{1,5})?\/){0,6}[\w-]{0,40}lightdash[\w.-]{0,60}(?=:(?:v?\d{1,5}[.a-z-]|[a-z$%{(<=~^@#\\])(?!\/\/)|["'`]? ?[+,] ?["'`]?[:$]|@(?:sha256|[${])|["'`] ?(?:\+|\.\.|<>|%|&) |:["'`])/gi;

function namesRelease(text: string): boolean {
  return [...text.matchAll(names)].some(([name]) => isNameOfRelease(name));
}

/** A name with what leads to it: `bi.lightdash.image.tag`, `config['lightdash']['tag']`. */
const names = /(?<![\w.[\]-])[\w.[\]-]{0,80}lightdash(?:[\w.[\]-]|["']\]\[["']){0,80}/gi;

/** The name of an image alone, where something says that it is one. */
const imageAlone =
  /(?:image|repositor(?:y|ies)|\brepo|newName|source|src|\bfrom|\b(?:docker|podman|nerdctl|crane|skopeo|oras|regctl|buildah|kubectl|ctr)\b[^\n]{0,200})["']?\s{0,40}[:=]?\s{0,40}["'`(]{0,2}(?:[\w.-]{1,80}(?::\d{1,5})?\/){1,6}[\w-]{0,40}lightdash(?![\w.-]{0,20}(?:cli|sdk|mcp|proxy|db))(?=$|[\s"'`,)\]}\\;|&-])/i;

const forms: readonly RegExp[] = [
  // What is fetched from a repository at a revision, and a workflow of another one.
  /[/@][\w.-]{0,60}lightdash(?!\.(?:com|io|dev)\b)[\w.-]{0,60}(?:\/\/\w|\S{0,200}[?&]ref=|\/\.github\/workflows\/)|\w\/\.github\/workflows\/[\w.-]{0,60}lightdash[\w.-]{0,60}@/i,
  /\bgit\b[^\n]{0,200}[/:]lightdash\/lightdash\b/i,
  // A chart, and what deploys one.
  /chart(?:[\w"']{0,20}|\.name)\s{0,40}[:=]?\s{0,40}["']?(?:[\w./:-]{1,120}\/)?lightdash\b(?!-(?:cli|sdk|mcp|proxy|db))|lightdash-v?\d{1,5}\.\d{1,5}\.\d|\boci:\/\/[^\s"']{0,200}lightdash/i,
  /\bhelm[\w ]{0,40}\b(?:upgrade|install|template|pull|rollback)\b[^\n]{0,300}lightdash|\bkubectl\b[^\n]{0,80} rollout undo\b[^\n]{0,200}lightdash/i,
];

/** Whether a name says which release, image or tag it gives, of whatever program. */
export function saysRelease(name: string): boolean {
  return !isOfChart(name) && wordsOf(name).some((word) => releaseWords.has(word));
}

/** Whether something is called Lightdash, or after a part of it, and not after a companion. */
export function isCalledLightdash(name: string): boolean {
  return calledSo.test(name) && !isCompanion(name);
}

const calledSo = /^[\w-]{0,60}lightdash[\w-]{0,60}$/i;

/**
 * Names that a text takes a value from: `$NAME`, `${{ env.NAME }}`, `.Values.a.b`, `var.name`, `%(name)s`,
 * what jq asks for, and what stands beside an operator. Of a path, also its last two names: `a.b`.
 */
export const namesUsedIn = memoize((text: string): readonly string[] => {
  if (text.length > longestLine || !mayUse.test(text)) return [];
  const dotted = text.includes('[') ? text.replaceAll(/\[\\?["']([\w-]{1,80})\\?["']\]/g, '.$1') : text;
  return [...dotted.matchAll(used)].flatMap((match) => {
    const usedName = match.slice(1).find((group) => group !== undefined) ?? '';
    // `-f values.yaml` names a file.
    if (/\.(?:ya?ml|json|toml|tfvars)$/.test(usedName)) return [];
    const parts = usedName
      .replace(/^ARGOCD_ENV_/, '')
      .split(/[.:]/)
      .flatMap((part) => part.match(/^#?([A-Za-z_].*)/)?.[1] ?? []);
    if (parts.length === 0) return [];
    const [first = '', last = ''] = [parts[0], parts.at(-1)];
    return parts.length === 1
      ? [first]
      : [first, last, parts.slice(-2).join('.'), ...(parts.length > 2 ? [parts.slice(-3).join('.')] : [])];
  });
});

/** A quick test: a text without any of these characters, as nearly every value is, uses no name. */
const mayUse = /[$%@{[\\+.<,&(\s]/;

const used =
  /\$[({]{0,3}\s{0,3}\.?([A-Za-z_][\w.-]{0,120})|\{\{-?\s{0,3}[.$]{0,3}([A-Za-z_][\w.]{0,120})|(?<![\w.])\{\s{0,3}([A-Za-z_][\w.]{0,120})(?:![rs])?\s{0,3}\}|\b((?:var|local|locals|vars|[vV]alues|inputs|module|env|config|props|self|this|node)\.[\w.]{1,120})|%\(?([A-Za-z_]\w{0,80})(?:\)s|%)|@([A-Z_]\w{0,80})@|\\\(([A-Za-z_#][\w.]{0,120})\)|["'`]\s{0,3}(?:\+\+?|\.\.|<>|,|&|%)\s{0,3}([A-Za-z_][\w.]{0,120})(?![\w.]{0,20}\s{0,3}[:=])|\b([A-Za-z_][\w.]{0,120})\s{0,3}(?:\+|\.\.|<>)\s{0,3}["'`]|(?<=(?:[gG]et|[lL]ookup|[rR]equire|[eE]nv|parameters|variables)\w{0,20}(?:\(\s{0,3}|\s))["'`]([A-Za-z_][\w.:-]{0,120})["'`]|(?<=\b[jy]q\b[^\n|;]{0,60}["'\s])\.([A-Za-z_][\w.-]{0,120})/g;

/**
 * The names from which a line takes the release. Of a command these are the names in its image, and those that say
 * `image` or `tag`; its region and its port are left out. Of a single word, all names that it uses.
 */
export const namesTakenIn = memoize((text: string): readonly string[] => {
  if (text.length > longestLine) return [];
  const whole = text.replaceAll(/\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}/g, (part) =>
    part.replaceAll(' ', ''),
  );
  const words = whole.split(/[\s"'`,;()]+/);
  const ofRelease = words.filter(
    (word, i) => namesLightdash(word) || saysRelease(word) || saysRelease(words[i - 1] ?? ''),
  );
  const called = captured(text, asked);
  // Beside an image of Lightdash, that of a program which looks at it says nothing.
  const hasOwn = ofRelease.some((word) => namesLightdash(word) && namesUsedIn(word).length > 0);
  const own = ofRelease.filter((word) => !hasOwn || namesLightdash(word) || !imageOfAnother.test(word));
  const taken = words.length < 2 ? [] : [...own.flatMap(namesUsedIn), ...called];
  return taken.length > 0 ? taken : namesUsedIn(text);
});

const imageOfAnother = /^(?:[\w.-]{1,80}\/){0,6}[\w.-]{1,80}:[$%{]/;

/** A name that a program asks for in a call, whose literal is a word of its own. */
const asked = /(?:get|lookup|require|env)\w{0,20}\(\s{0,3}["'`]([A-Za-z_][\w.:-]{0,120})["'`]/gi;

/** Adds the names that those in `names` are set from, one step back: with TAG in it, `TAG=$VERSION` adds VERSION. */
export function addNamesTaken(
  names: Set<string>,
  lines: readonly { readonly key: string; readonly value: string }[],
): void {
  for (const { key, value } of lines) {
    if (names.has(key)) for (const name of namesUsedIn(value)) names.add(name);
  }
}
