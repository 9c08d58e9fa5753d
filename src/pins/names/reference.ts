import { once } from '../../core/once.js';

/** How a text refers to Lightdash: by what decides its release, or by its name alone. */
export type Reference = 'release' | 'name';

/**
 * How a line, or a value with the keys that lead to it (`lightdash.image.tag=1.2.3`), refers to Lightdash. The client,
 * hosts, addresses and ids of projects are no references.
 */
export function referenceIn(text: string): Reference | undefined {
  if (!namesLightdash(text)) return undefined;
  if (source.test(text)) return 'release';
  const own = withoutClient(text);
  const rest = /:\/\/|@/.test(own) ? own.replaceAll(address, (url) => (fetched.test(url) ? url : '')) : own;
  if (!namesLightdash(rest)) return undefined;
  return forms.some((form) => form.test(rest)) || isNameOfRelease(rest) ? 'release' : 'name';
}

/**
 * The same of a line of a program: only what names an image with a tag, a chart, or a version after Lightdash. Other
 * names in a program are its own.
 */
export function referenceInCode(line: string): Reference | undefined {
  if (!namesLightdash(line)) return undefined;
  const rest = withoutClient(line);
  const isRelease =
    codeForms.some((form) => form.test(rest)) || (isNameOfRelease(rest) && versionForm.test(rest));
  return isRelease ? 'release' : undefined;
}

/** The name of an image in a program, without a tag. */
export const bareImage = /["'`](?!\.)(?:[\w.-]+(?::\d+)?\/)+(?:[\w.-]*lightdash|lightdash-[\w-]+)["'`]/gi;

const codeForms: readonly RegExp[] = [
  /["'`](?:[^"'`]*\b(?:docker|podman|nerdctl|helm|kubectl|crane|skopeo)\s[^"'`]*\s)?[^\s"'`]*lightdash[\w-]*(?::[\w.$%{<@#\\-]|@sha256|:?["'`]\s*(?:[+%]|\.\.|<>))/i,
  /\blightdash\w*["'`]?\s*[,:=]\s*["'`]v?\d+\.\d+\.\d+["'`]/i,
  /\blightdash["'`]?\]?\s*[:=]\s*["'`][^\s"'`]+:v?\d+\.\d+/i,
  new RegExp(bareImage.source, 'i'),
  /chart["']?\s*[:=]\s*["'](?:[\w./:-]*\/)?lightdash["']|lightdash-v?\d+\.\d+\.\d+/i,
];

/** Whether a text has the word at all: nearly none does, and then it refers to nothing. */
export function namesLightdash(text: string): boolean {
  return /lightdash/i.test(text);
}

/** What a text says of the client of Lightdash, its version too, is of no interest. */
export function withoutClient(text: string): string {
  return namesLightdash(text) ? text.replaceAll(client, '') : text;
}

const client =
  /(?<![\w.-])@lightdash\/[\w-]+(?:@[^\s"',]+)?(?:["']?\s*[:=]\s*["']?[\^~]?[\w.-]+)?|\blightdash[-_. ]?(?:cli|sdk|client)\w*(?:["']?\s*[:=@]+\s*["']?[\^~]?[\w.-]+)?|\blightdash (?:deploy|preview|start-preview|stop-preview|refresh|validate|upload|download|login|logout|config|compile|generate|dbt|run|lint|sql|diagnostics|warehouse|set-warehouse|install-skills)\b[^;&|]*/gi;

/** Whether a text names a package of one's own that is called after Lightdash, and is no client of it. */
export function namesOwnPackage(text: string): boolean {
  return namesLightdash(text) && ownPackage.test(withoutClient(text));
}

const ownPackage = /@(?!types\/)[\w.-]+\/[\w.-]*lightdash/i;

const address = /\b(?!oci)[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>)]*|\b[\w-]+(?:\.[\w-]+)*@(?!sha)[\w.-]+:[\w./-]+/gi;
/** An address from which a chart, a module or a script of a release is fetched. */
export const fetched =
  /\.(?:tgz|tar|zip)|[?&](?:ref|\w*lightdash\w*)=|(?<!:)\/\/\w|helm-charts|\/v?\d+\.\d+\.\d+|ghcr\.io|docker\.io|^docker(?:-image)?:/i;

/** Lightdash is fetched to be built. */
const source = /\bgit\b.*[/:]lightdash\/lightdash\b/i;

/** Three numbers, and not a part of an address. */
export const versionForm = /(?<![\d.])v?\d+\.\d+\.\d+(?!\.?\d)/i;

/** All who mirror an image keep its last name, or what it begins with. */
const forms: readonly RegExp[] = [
  // An image with a tag or a digest, also one that is put together.
  /lightdash[\w-]*(?::(?:v?\d+\.\d|v?\d+[a-z.-]|[a-z$%{(<>=~^@#\\])|["'`]?\s*[:+,]\s*["'`]?\$?\{|@sha256|["'`]\s*(?:\+|\.\.|<>|%|&)|:["'`])/i,
  /(?:^|[\s"'`=:/(,[{])(?:[\w.-]+(?::\d+)?\/)+(?:[\w.-]*lightdash|lightdash-[\w.-]+)(?=$|[\s"'`,)\]}\\;|&])/i,
  // What is fetched from a repository.
  /\w[/@][\w.-]*lightdash[\w.-]*(?:\/\/\w|\S*[?&]ref=|\/\.github\/workflows\/)/i,
  // A chart.
  /chart(?:[\w"']*|\.name)\s*[:=]?\s*["']?(?:[\w./:-]*\/)?lightdash\b|helm-charts|lightdash-v?\d+\.\d+\.\d+|\boci:\/\/\S*lightdash/i,
  /\bhelm[\w ]*\b(?:upgrade|install|template|pull)\b.*lightdash/i,
  new RegExp(`lightdash.*${versionForm.source}`, 'i'),
];

/** Whether a name, or what leads to it, says version, tag or image of Lightdash: `LIGHTDASH_TAG`. */
export function isNameOfRelease(text: string): boolean {
  return [...text.matchAll(/[\w.\-[\]]*lightdash(?:[\w.\-[\]]|["']\]\[["'])*/gi)].some(([name]) =>
    wordsOf(name).some((word) => saysRelease.has(word)),
  );
}

/** `imageTag`, `image_tag`, `image.tag` as words. */
export const wordsOf = once((text: string): readonly string[] => {
  const apart = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return apart.match(/[a-z]+/g) ?? [];
});

/** Words of a name that says which release, or which image. */
export const saysRelease: ReadonlySet<string> = new Set(
  'version versions tag tags image images digest sha sha256 revision release rel ver semver rev major minor patch lightdashtag lightdashversion lightdashimage imagetag newtag'.split(
    ' ',
  ),
);

/**
 * Names that a text takes a value from: `$NAME`, `*anchor`, `${{ env.NAME }}`, `.Values.a.b`, `var.name`, `%(name)s`,
 * and what stands beside an operator. Of a path, also its last two names: `a.b`.
 */
export const namesUsedIn = once((text: string): readonly string[] => {
  if (!mayUse.test(text)) return [];
  const dotted = text.includes('[') ? text.replaceAll(/\[\\?["']([\w-]+)\\?["']\]/g, '.$1') : text;
  return [...dotted.matchAll(used)].flatMap((match) => {
    const path =
      match
        .slice(1)
        .find((one) => one !== undefined)
        ?.replace(/^ARGOCD_ENV_/, '') ?? '';
    const parts = path.split(/[.:]/).flatMap((part) => part.match(/^#?([A-Za-z_].*)/)?.[1] ?? []);
    if (parts.length === 0) return [];
    const [first = '', last = ''] = [parts[0], parts.at(-1)];
    return parts.length === 1 ? [first] : [first, last, parts.slice(-2).join('.')];
  });
});

/** What has none of these uses no name: nearly every value. */
const mayUse = /[$%@{[\\+.<,&*(\s]/;

/** Adds those that give a name its value, which may itself be taken from another one. */
export function addNamesTaken(
  names: Set<string>,
  lines: readonly { readonly key: string; readonly value: string }[],
): void {
  let known = 0;
  for (let round = 0; round < 3 && names.size > known; round += 1) {
    known = names.size;
    for (const { key, value } of lines) {
      if (names.has(key)) for (const name of namesUsedIn(value)) names.add(name);
      if (!value.includes(' as ')) continue;
      for (const [, own = '', name = ''] of value.matchAll(/(\w+) as (\w+)/g)) {
        if (names.has(name)) names.add(own);
      }
    }
  }
}

const used =
  /\$[({]*\s*\.?([A-Za-z_][\w.-]*)|\{\{-?\s*[.$]*([A-Za-z_][\w.]*)|(?<![\w.])\{\s*([A-Za-z_][\w.]*)(?:![rs])?\s*\}|\b((?:var|local|locals|vars|[vV]alues|inputs|module|env|config|props|self|this|node)\.[\w.]+)|%\(?([A-Za-z_]\w*)(?:\)s|%)|@([A-Z_]\w*)@|\\\(([A-Za-z_#][\w.]*)\)|["'`]\s*(?:\+\+?|\.\.|<>|,|&)\s*([A-Za-z_][\w.]*)(?![\w.]*\s*[:=])|\b([A-Za-z_][\w.]*)\s*(?:\+|\.\.|<>)\s*["'`]|(?<=(?:(?:[gG]et|[lL]ookup|[rR]equire)\w*|[eE]nv|parameters|variables)(?:\(\s*|\s))["'`]([A-Za-z_][\w.:-]*)["'`]|(?<=\b(?:default|ternary)\((?:[^()]*,)?\s*|\b(?:else|or)\s+)([A-Za-z_]\w*)(?=[^{}]*\}\})|^\*([\w-]+)$/g;
