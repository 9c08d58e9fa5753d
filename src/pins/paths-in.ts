import { posix } from 'node:path';
import { longestLine } from './names.js';

export const isKustomization = (file: string) => /(?:^|\/)kustomization(?:\.ya?ml)?$/i.test(file);

/** The paths from the root that a text may name, if read from the folder of its file or from the root. */
export function pathsIn(text: string, folder: string): readonly string[] {
  const allPaths = new Set<string>();
  // The templates of a chart read from its folder.
  const from = new Set([folder, folder.replace(/(?:^|(?<=\/))templates\/.*$/, '')]);
  for (const line of text.split('\n')) {
    if (line.length > longestLine) continue;
    // What a variable leads to is not known: its default is, and the rest of the path.
    const withDefaults = line.replaceAll(/\$\{\w{1,80}:?-([\w./-]{0,120})\}/g, '$1');
    const tokens = withDefaults.replaceAll(/\$\{?[\w.]{1,80}\}?\//g, ' ').match(tokenForm) ?? [];
    for (const token of tokens) {
      if (!/\w/.test(token)) continue;
      const isPath = token.includes('/') || token.includes('.') || /^[A-Z][A-Z_]+$/.test(token);
      if (isPath || isValue(line, token)) addPaths(allPaths, token.replace(/\.$/, ''), from);
    }
  }
  return [...allPaths];
}

const tokenForm = /[\w.@~+/-]+/g;

function addPaths(allPaths: Set<string>, token: string, from: ReadonlySet<string>): void {
  // From where a program runs is not known: what leads out of it may lead from the root.
  const paths = [...from].map((folder) => posix.join(folder, token));
  for (const path of [...paths, posix.normalize(token), token.replace(outOf, '')]) {
    const plain = path.replace(/\/$/, '').replace(/^\.\//, '');
    if (plain !== '.' && plain !== '' && !plain.startsWith('..')) allPaths.add(plain);
  }
  // A path of the machine that it runs on: in the repository, only the name is known.
  if (!token.includes('/') || token.startsWith('/')) allPaths.add(`*/${posix.basename(token)}`);
}

const outOf = /^@?(?:\.\.\/)*/;

/** Whether a plain word stands as a value of its own, as the name of a folder does, or where a folder is changed. */
function isValue(line: string, word: string): boolean {
  if (line.trim() === word) return true;
  const at = line.indexOf(word);
  const [before, after] = [
    line.slice(Math.max(0, at - 12), at),
    line.slice(at + word.length, at + word.length + 9),
  ];
  return (
    (/(?:[:=-] ?|chdir=|[[,] ?)["']?$/.test(before) && /^["'\s,\])}]*$/.test(after.slice(0, 1))) ||
    /(?:\bcd |\s-[cCfk] |directory[\s=])$/.test(before)
  );
}

/** Names that many files have: only a path leads to one of them. */
export const commonNames =
  /(?:^|\/)(?:values\.ya?ml|\.env|kustomization\.ya?ml|Chart\.yaml|main\.\w+|index\.\w+|package\.json|README\.\w+|Dockerfile|Makefile|(?:docker-)?compose\.ya?ml|config\.\w+|variables\.tf|outputs\.tf|settings\.\w+)$/i;

/** The folders of a file, from the root on. */
export function foldersOf(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** The paths that lead to a file: its own, as a module, and of its folders. */
export function waysTo(file: string): readonly string[] {
  return [file, withoutEnding(file), ...foldersOf(file)];
}

export function withoutEnding(file: string): string {
  return file.replace(/\.\w+$/, '');
}
