import type { ChalkInstance } from 'chalk';

type Paint = (text: string) => string;

/** How words are coloured. Every renderer takes a palette; the plain one leaves text unchanged. */
export type Palette = Readonly<Record<'good' | 'bad' | 'warn' | 'bold' | 'dim', Paint>>;

const plain: Paint = (text) => text;

export const plainPalette: Palette = { good: plain, bad: plain, warn: plain, bold: plain, dim: plain };

/** chalk is handed in: it is loaded only where colour is written. */
export function paletteOf({ green, red, yellow, bold, dim }: ChalkInstance): Palette {
  return { good: green, bad: red, warn: yellow, bold, dim };
}
