import { styleText } from 'node:util';

type Paint = (text: string) => string;

/** How words are coloured. Every renderer takes a palette; the plain one leaves text unchanged. */
export type Palette = Readonly<Record<'good' | 'bad' | 'warn' | 'bold' | 'dim', Paint>>;

const asItIs: Paint = (text) => text;

export const plainPalette: Palette = { good: asItIs, bad: asItIs, warn: asItIs, bold: asItIs, dim: asItIs };

// Whether there is colour is decided before: styleText would ask standard output again.
const always = { validateStream: false };

export const colourPalette: Palette = {
  good: (text) => styleText('green', text, always),
  bad: (text) => styleText('red', text, always),
  warn: (text) => styleText('yellow', text, always),
  bold: (text) => styleText('bold', text, always),
  dim: (text) => styleText('dim', text, always),
};
