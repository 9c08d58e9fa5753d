import type { Format } from './format.js';
import { githubFormat } from './github.js';
import { htmlFormat } from './html.js';
import { junitFormat } from './junit.js';
import { markdownFormat } from './markdown.js';
import { sarifFormat } from './sarif.js';
import { textFormat } from './text.js';

/** Every format by its name: the only list of them. A text alone is written without loading the others. */
export const formats = {
  text: textFormat,
  github: githubFormat,
  junit: junitFormat,
  markdown: markdownFormat,
  sarif: sarifFormat,
  html: htmlFormat,
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
