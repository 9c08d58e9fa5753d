import { stripVTControlCharacters } from 'node:util';
import { escapeXml } from './svg.js';

const cell = { width: 8.4, height: 19 };
const margin = { x: 18, top: 48, bottom: 18 };

/** The colours that the palette uses, on a dark window: readable on any page. */
const styles: Readonly<Record<string, string>> = {
  1: 'font-weight:bold',
  2: 'fill:#9aa4b2',
  31: 'fill:#ff7b72',
  32: 'fill:#56d364',
  33: 'fill:#e3b341',
};

/** A terminal window that shows a command line and what it wrote, as SVG. */
export function terminalPicture(command: string, output: string): string {
  const lines = [`\u001b[2m$\u001b[22m \u001b[1m${command}\u001b[22m`, ...output.trimEnd().split('\n')];
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const width = Math.ceil(columns * cell.width + 2 * margin.x);
  const height = margin.top + lines.length * cell.height + margin.bottom;
  const text = stripVTControlCharacters(lines.join('\n'));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(`Terminal output of ${command}`)}</title>`,
    `<desc>${escapeXml(text)}</desc>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="#0d1117" stroke="#6e7681"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (colour, i) => `<circle cx="${margin.x + 6 + i * 20}" cy="20" r="6" fill="${colour}"/>`,
    ),
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#e6edf3">`,
    ...lines.map((line, i) => paintLine(line, margin.top + (i + 0.7) * cell.height)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/**
 * Every run of one style at its own place, as wide as its cells: whatever font is there, columns stand under each
 * other.
 */
function paintLine(line: string, y: number): string {
  const active = new Set<string>();
  let column = 0;
  let spans = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of a terminal begin with one.
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    const [, code] = /\[(\d+)m$/.exec(part) ?? [];
    if (code !== undefined && part.startsWith('\u001b')) switchStyle(active, code);
    else if (part !== '') {
      const style = [...active].map((on) => styles[on]).join(';');
      const x = (margin.x + column * cell.width).toFixed(1);
      const length = (part.length * cell.width).toFixed(1);
      spans += `<tspan x="${x}" textLength="${length}"${style === '' ? '' : ` style="${style}"`}>${escapeXml(unbroken(part))}</tspan>`;
      column += part.length;
    }
  }
  return `<text y="${y.toFixed(1)}">${spans}</text>`;
}

/** Spaces at an end or in a row would be taken for one, or for none. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

function switchStyle(active: Set<string>, code: string): void {
  if (code in styles) active.add(code);
  else if (code === '39') for (const colour of ['31', '32', '33']) active.delete(colour);
  else if (code === '22') for (const weight of ['1', '2']) active.delete(weight);
  else throw new Error(`terminal-picture: no style for the escape code ${code}`);
}
