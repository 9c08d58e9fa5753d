import type { Palette } from '../../src/answer/formats/palette.js';

/** Colours as words, so that a record of what is shown tells them. */
export const markedPalette: Palette = {
  good: (text) => `good(${text})`,
  bad: (text) => `bad(${text})`,
  warn: (text) => `warn(${text})`,
  bold: (text) => `bold(${text})`,
  dim: (text) => `dim(${text})`,
};
