import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { indexOfTable } from '../page/table.js';
import { parseReleaseSafetyIndex, parseReleaseSafetyIndexText } from '../src/core/index/parse-index.js';
import { publicIndexUrl } from '../src/gather/publisher/publisher-urls.js';
import { recordsInShort, versionAndHomepage } from './bundle-options.js';
import { tableOf } from './index-table.js';
import { minifiedStyle, reportStyle } from './minified-style.js';

/**
 * The page of the upgrade path as one file, which works from a disk. Its policy allows its own style and script, and
 * one address.
 *
 * @param index the text of the index that it has inside
 */
export async function pageFile(index: string): Promise<string> {
  const [program = '', loader = ''] = await Promise.all(['main', 'loader'].map(bundle));
  const style = [reportStyle, 'page/style.css'].map(minifiedStyle).join('');
  const parts: Readonly<Record<string, string>> = {
    policy: [
      "default-src 'none'",
      `style-src '${hashOf(style)}'`,
      `script-src '${hashOf(loader)}' '${hashOf(program)}'`,
      `connect-src ${publicIndexUrl}`,
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
    ...{ style, loader },
    program: packed(program),
    index: packed(dataOf(index)),
  };
  return readFileSync('page/index.html', 'utf8').replaceAll(/%(\w+)%/g, (all, name) => parts[name] ?? all);
}

async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`page/${name}.ts`],
    ...{ bundle: true, minify: true, write: false, format: 'iife', target: 'es2022', charset: 'utf8' },
    // What only the program uses of a shared file is left out, with what that imports.
    ...{ external: ['node:*'], legalComments: 'none', logLevel: 'warning' },
    plugins: [recordsInShort, withoutRehearsal, versionAndHomepage],
  });
  const text = outputFiles?.[0]?.text.trim() ?? '';
  if (/["']node:/.test(text)) throw new Error('the page would load a module of Node');
  return text;
}

/** The page reads no rehearsal, so that it has none which could settle a finding. */
const withoutRehearsal: Plugin = {
  name: 'without-rehearsal',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/checks\/settled\.ts$/ }, () => ({
      contents: 'export const isSettledOnCopy = () => false;',
    }));
  },
};

function dataOf(text: string): string {
  const index = parseReleaseSafetyIndexText(text);
  const table = tableOf(index);
  if (!isDeepStrictEqual(parseReleaseSafetyIndex(indexOfTable(table)), index)) {
    throw new Error('the table of the index does not say the same as the index');
  }
  const sha256 = createHash('sha256').update(text).digest('hex');
  return JSON.stringify({ source: 'inside this page', sha256, table });
}

function packed(text: string): string {
  return deflateRawSync(text, { level: 9 }).toString('base64');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
