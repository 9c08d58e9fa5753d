import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';

/** The style of a report as it is written by hand, and as the program has it inside. */
export const reportStyle = 'src/answer/formats/report.css';
export const builtInStyle = 'src/answer/formats/report-style.json';

export function minifiedStyle(file: string): string {
  return transformSync(readFileSync(file, 'utf8'), { loader: 'css', minify: true, charset: 'utf8' }).code;
}

/** The text of `report-style.json`: the style in one line, as JSON. */
export function builtInReportStyle(): string {
  return `${JSON.stringify(minifiedStyle(reportStyle))}\n`;
}
