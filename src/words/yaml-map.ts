import { printable } from './printable.js';

export function underKeys(path: readonly string[], lines: readonly string[]): readonly string[] {
  return path.reduceRight<readonly string[]>(
    (inner, key) => [`${keyWord(key)}:`, ...inner.map((line) => `  ${line}`)],
    lines,
  );
}

/** Unchanged if it has no other meaning in YAML, else in double quotes. */
function keyWord(key: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key)
    ? key
    : printable(JSON.stringify(key));
}
