import { printable } from './printable.js';

/** Lines of a YAML map as they stand under these keys, the outermost first. */
export function underKeys(path: readonly string[], lines: readonly string[]): readonly string[] {
  return path.reduceRight<readonly string[]>(
    (inner, key) => [`${keyWord(key)}:`, ...inner.map((line) => `  ${line}`)],
    lines,
  );
}

/** As it is where it can mean nothing else to YAML, else in double quotes. */
function keyWord(key: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key)
    ? key
    : printable(JSON.stringify(key));
}
