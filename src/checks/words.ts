import type { Word } from '../render/words/word.js';

/** The words of a check. */
export interface DescribedCheck extends Word {
  /** A few words, as a heading. */
  readonly label: string;
  /** What it checks, and how it judges. */
  readonly looksAt: string;
  /** By the kind of its evidence. */
  readonly finds: Readonly<Record<string, Word>>;
}

/** The same, with how to describe what it finds. */
export interface CheckWords<Evidence extends { readonly kind: string }> extends DescribedCheck {
  readonly finds: FindingWords<Evidence>;
}

/** The meaning of each kind of evidence, its description, and what to do about it. Leaving one out does not compile. */
export type FindingWords<Evidence extends { readonly kind: string }> = {
  readonly [Kind in Evidence['kind']]: Word & {
    /** A clause, without a full stop. */
    describe(evidence: Extract<Evidence, { readonly kind: Kind }>): string;
    /** What to do about this one, if the remedy of its kind does not say. */
    advise?(evidence: Extract<Evidence, { readonly kind: Kind }>): string;
    /** Where to paste `commands`. */
    readonly pasteIn?: PasteIn;
    /** The commands to paste, with the user's own names in them. */
    commands?(evidence: Extract<Evidence, { readonly kind: Kind }>): readonly string[];
  };
};

/** In psql, in a shell in an image of Lightdash, in a shell with access to the cluster, or in a file. */
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
