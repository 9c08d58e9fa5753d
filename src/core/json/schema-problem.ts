/** One way in which a value differs from its schema. */
export interface SchemaProblem {
  /** The keys and array positions that lead to the value, or to where it is missing; empty for the whole document. */
  readonly path: readonly (string | number)[];
  /** What is at fault: the value, its key, or that there is no value. */
  readonly about: 'key' | 'value' | 'missing';
  readonly message: string;
}

export interface TextPart {
  readonly text: string;
  readonly offset: number;
}

/** The maximum number of problems reported. Nobody fixes more at once, and describing 100,000 takes minutes. */
export const mostProblems = 100;

/** A path as people write it: `mergeQuery.sources[0].id`; unusual keys are quoted. */
export function formatPath(path: SchemaProblem['path']): string {
  return path
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[\w$-]+$/.test(part)) return `[${JSON.stringify(part)}]`;
      return i === 0 ? part : `.${part}`;
    })
    .join('');
}

/** `path: message`, or the message alone if it is about the whole document. */
export function describeProblem({ path, message }: Pick<SchemaProblem, 'path' | 'message'>): string {
  return path.length === 0 ? message : `${formatPath(path)}: ${message}`;
}
