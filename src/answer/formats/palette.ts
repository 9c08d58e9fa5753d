import type { ChalkInstance } from 'chalk';

type Paint = (text: string) => string;

/** How words are coloured. Every renderer takes a palette; the plain one leaves text unchanged. */
export type Palette = Readonly<Record<'good' | 'bad' | 'warn' | 'bold' | 'dim', Paint>>;

const asItIs: Paint = (text) => text;

export const plainPalette: Palette = { good: asItIs, bad: asItIs, warn: asItIs, bold: asItIs, dim: asItIs };

/** chalk is handed in: it is loaded only where colour is written. */
export function paletteOf({ green, red, yellow, bold, dim }: ChalkInstance): Palette {
  return { good: green, bad: red, warn: yellow, bold, dim };
}
