import { shellWord } from '../../shell-word.js';

/** A command of kubectl, to be pasted in `shell`. */
export function kubectl(namespace: string | null, ...words: readonly string[]): string {
  const where = namespace === null ? [] : ['--namespace', namespace];
  return ['kubectl', ...where, ...words].map(shellWord).join(' ');
}
