import { styleText } from 'node:util';

type Paint = (text: string) => string;

/** How words are coloured. Every renderer takes a palette; the plain one leaves text unchanged. */
export type Palette = Readonly<Record<'good' | 'bad' | 'warn' | 'bold' | 'dim', Paint>>;

const asItIs: Paint = (text) => text;

export const plainPalette: Palette = { good: asItIs, bad: asItIs, warn: asItIs, bold: asItIs, dim: asItIs };

/** Whether there is colour is decided before: styleText would ask standard output again. */
function painted(format: Parameters<typeof styleText>[0]): Paint {
  return (text) => styleText(format, text, { validateStream: false });
}

export const colourPalette: Palette = {
  good: painted('green'),
  bad: painted('red'),
  warn: painted('yellow'),
  bold: painted('bold'),
  dim: painted('dim'),
};
