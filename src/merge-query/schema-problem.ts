/** One way in which a value is not what its schema wants. */
export interface SchemaProblem {
  /** The keys and array positions that lead to the value, or to where one is missing; empty for the whole. */
  readonly path: readonly (string | number)[];
  /** What is at fault: the value, the key that it stands under, or that there is none. */
  readonly about: 'key' | 'value' | 'missing';
  /** What was expected there and what was found. */
  readonly message: string;
}

/** A part of a text, and where it begins in it. */
export interface TextPart {
  readonly text: string;
  readonly offset: number;
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
