import type { Word } from '../word.js';

/** A check, told. */
export interface CheckWords<Evidence extends { readonly kind: string }> extends Word {
  /** A few words, as a heading. */
  readonly label: string;
  /** What it looks at, and by what it judges. */
  readonly looksAt: string;
  readonly finds: FindingWords<Evidence>;
}

/** What each kind of evidence means, how one of it is told, and what to do about it. Leaving one out does not compile. */
export type FindingWords<Evidence extends { readonly kind: string }> = {
  readonly [Kind in Evidence['kind']]: Word & {
    /** A clause, without a full stop. */
    describe(evidence: Extract<Evidence, { readonly kind: Kind }>): string;
    /** What to do about this one, where the remedy of its kind does not say. */
    advise?(evidence: Extract<Evidence, { readonly kind: Kind }>): string;
    /** Where `commands` are to be pasted. */
    readonly pasteIn?: PasteIn;
    /** What to paste, with the user's own names in it. */
    commands?(evidence: Extract<Evidence, { readonly kind: Kind }>): readonly string[];
  };
};

/** Into psql, into a shell where an image of Lightdash runs, into one that reaches the cluster, or into a file. */
export const pasteIns = ['psql', 'image', 'shell', 'values'] as const;
export type PasteIn = (typeof pasteIns)[number];

export const pasteInWords: Record<PasteIn, string> = {
  psql: 'In psql:',
  image: 'In /usr/app of a container of Lightdash:',
  shell: 'In a shell:',
  values: 'In the values of the chart:',
};

/** A command of the publisher's runtime, to be pasted in `image`. */
export function migrate(command: string): string {
  return `pnpm -F backend migrate-production ${command}`;
}
