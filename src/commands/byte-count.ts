const unitBytes = { '': 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/**
 * Reads a number of bytes: `1000000`, `512KiB`, `64MiB`, `1GiB`.
 *
 * @returns undefined for anything else, zero included
 */
export function parseByteCount(text: string): number | undefined {
  const match = /^(\d{1,12})(KiB|MiB|GiB|)$/.exec(text);
  if (match === null) return undefined;
  const bytes = Number(match[1]) * unitBytes[match[2] as keyof typeof unitBytes];
  return bytes > 0 ? bytes : undefined;
}
