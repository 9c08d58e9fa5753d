/** One way in which a value is not what its schema wants. */
export interface SchemaProblem {
  /** The keys and array positions that lead to the value, or to where one is missing; empty for the whole. */
  readonly path: readonly (string | number)[];
  /** Whether it is the value that is at fault, or the key that it stands under. */
  readonly about: 'key' | 'value';
  /** What was expected there and what was found. */
  readonly message: string;
}

/** So many are told of at most: nobody mends more before looking again, and words for 100,000 take minutes. */
export const mostProblems = 100;

/** A path as people write it: `mergeQuery.sources[0].id`; odd keys stand in quotes. */
export function formatPath(path: SchemaProblem['path']): string {
  return path
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[\w$-]+$/.test(part)) return `[${JSON.stringify(part)}]`;
      return i === 0 ? part : `.${part}`;
    })
    .join('');
}
