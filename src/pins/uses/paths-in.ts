import { posix } from 'node:path';
import { isSourceCode } from '../names/no-deployment.js';

export const isKustomization = (file: string) => /(?:^|\/)kustomization(?:\.ya?ml)?$/i.test(file);

/** What tools that fetch by a list of their own write beside it. */
export const locks = /\.lock\b/;

export const changes = /^(?:replacements|vars|configMapGenerator|patches\w*|transformers|components)\b/m;

/** The paths that a text may name, from the root: from the folder of its file, and from the root. */
export function pathsIn(text: string, folder: string): readonly string[] {
  const found = new Set<string>();
  let words: ReadonlySet<string> | undefined;
  // The templates of a chart read from its folder.
  const from = new Set([folder, folder.replace(/(?:^|(?<=\/))templates\/.*$/, '')]);
  // What a variable leads to is not known: the rest of the path is.
  const plainText = text.replaceAll(/\$\{?\w+\}?\//g, ' ');
  const tokens = plainText.match(/[\w.@~+-]*[\w@~+-](?:\/[\w.@~+-]+)*\/?|\.{1,2}(?:\/[\w.@~+-]+)+\/?/g);
  for (const token of new Set(tokens)) {
    const isPath = token.includes('/') || token.includes('.') || /^[A-Z][A-Z_]+$/.test(token);
    if (!isPath && token !== text) {
      words ??= wholeValuesIn(text);
      if (!words.has(token)) continue;
    }
    // From where a program runs is not known: what leads out of it may lead from the root.
    const paths = [...from].map((one) => posix.join(one, token));
    for (const path of [...paths, posix.normalize(token), token.replace(outOf, '')]) {
      const plain = path.replace(/\/$/, '').replace(/^\.\//, '');
      if (plain !== '.' && plain !== '' && !plain.startsWith('..')) found.add(plain);
    }
    if (!token.includes('/')) found.add(`*/${token}`);
  }
  for (const [, module = ''] of text.matchAll(/^\s*(?:from|import)\s+([\w]+(?:\.\w+)+)/gm)) {
    const path = module.replaceAll('.', '/');
    for (const one of [posix.join(folder, path), path]) found.add(one);
  }
  return [...found];
}

const outOf = /^@?(?:\.\.\/)*/;

/** The folders that programs in Go and CUE import: the names of their modules begin with any of these parts. */
export function packagesIn(file: string, text: string): readonly string[] {
  if (!/\.(?:go|cue)$/.test(file)) return [];
  return [...text.matchAll(/"[\w-]+(?:\.[\w-]+)+\/([\w./-]+)(?::\w+)?"/g)].flatMap(([, path = '']) => {
    const parts = path.split('/');
    return parts.map((_, i) => parts.slice(i).join('/'));
  });
}

/** Plain words that are a value of their own, or those that a kustomization changes, as the name of a folder is. */
function wholeValuesIn(text: string): ReadonlySet<string> {
  const form =
    /(?:[:=-]\s*|chdir=)["']?([\w-]+)["']?[\s,\])}]*$|(?:\bcd\s|\s-[cCfk]\s|--(?:project-)?directory[\s=])\s*([\w-]+)/gm;
  const listed = /^(?:resources|bases|components|transformers):\s*\[(.*)\]/gm;
  return new Set([
    ...[...text.matchAll(form)].map(([, value, option]) => value ?? option ?? ''),
    ...(changes.test(text) ? [...text.matchAll(listed)] : []).flatMap(
      ([, list = '']) => list.match(/[\w-]+/g) ?? [],
    ),
  ]);
}

/** Scripts, pipelines and modules: they run others, and give them values. */
export const runsOthers =
  /\.(?:(?:ba|z|k)?sh|ps1|mk|just|tf|tofu|hcl)$|(?:^|\/)(?:(?:GNU)?Makefile|\.?justfile|Taskfile\.ya?ml|Jenkinsfile[\w.-]*|Procfile|package\.json|Rakefile)$|(?:^|\/)\.?(?:github\/(?:workflows|actions)|gitlab|circleci|buildkite|woodpecker|tekton|ci)\/|(?:^|\/)\.?(?:gitlab-ci|drone|travis|woodpecker|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec)[\w.-]*\.ya?ml$/i;

/** Names that many files have: only a path leads to one of them. */
export const commonNames =
  /(?:^|\/)(?:values\.ya?ml|\.env|kustomization\.ya?ml|Chart\.yaml|main\.\w+|index\.\w+|package\.json|README\.\w+|Dockerfile|Makefile|(?:docker-)?compose\.ya?ml|config\.\w+|variables\.tf|outputs\.tf|settings\.\w+)$/i;

export function foldersOf(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** A project of Ansible: its variables count in all of its roles. */
export function roomOf(file: string): string | undefined {
  const parts =
    /^((?:.*?\/)??)(?:roles\/[^/]+\/(?:tasks|templates|defaults|vars|files|meta|handlers)|(?:group|host)_vars|vars|templates|tasks|inventor\w*)\//;
  return parts.exec(file)?.[1];
}

/** The paths that lead to a file: its own, as a module, of its folders, and of one of these as a package. */
export function waysTo(file: string): readonly string[] {
  const folders = foldersOf(file);
  const packages = isSourceCode(file) ? folders.map((folder) => `@/${posix.basename(folder)}`) : [];
  return [file, withoutEnding(file), ...folders, ...packages];
}

export function withoutEnding(file: string): string {
  return file.replace(/\.\w+$/, '');
}
