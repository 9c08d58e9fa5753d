import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { lazyInPlain, withoutProse } from './plain-modules.js';

/** zod's words for errors in fifty languages, a seventh of the program: none of them is asked for. */
export const withoutLocales = {
  name: 'without-locales',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** How every bundle is built. */
export const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  logLevel: 'warning',
  legalComments: 'none',
};

/** The entries of the library: `lightspan`, and those beside it, such as `lightspan/client`. */
export const libraryEntries = ['index', 'client', 'merge'];

/**
 * commander loads `node:child_process` for commands that are programs of their own. There are none here, and loading it
 * takes 3 ms of every start.
 */
export const lazyChildProcess = {
  name: 'lazy-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[/\\]commander[/\\]/.test(importer) ? { path: 'child_process', namespace: 'lazy' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({
      contents: "module.exports = { get spawn() { return require('node:child_process').spawn; } };",
    }));
  },
};

/**
 * Making the patterns of a width that is not of ASCII takes a millisecond, and most texts need none: it is run where it
 * is first asked for.
 */
export const lazyWidth = {
  name: 'lazy-width',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^fast-string-width$/ }, ({ path, namespace }) =>
      namespace === 'lazy-width' ? undefined : { path, namespace: 'lazy-width' },
    );
    onLoad({ filter: /.*/, namespace: 'lazy-width' }, ({ path }) => ({
      contents: `export default (text) => require('${path}').default(text);`,
      resolveDir: process.cwd(),
    }));
  },
};

/**
 * Of package.json, the program knows its version, its homepage (below which the page is published) and the names of its
 * commands (for completion), and nothing else.
 */
export const versionAndHomepage = {
  name: 'parts-of-the-manifest',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]package\.json$/ }, ({ path }) => {
      if (path !== resolve('package.json')) return undefined;
      const { version, homepage, bin } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version, homepage, bin }), loader: 'json' };
    });
  },
};

/** pg asks for its other half, in C, only where the environment makes it; it is not there, and is to be no import. */
export const withoutNative = {
  name: 'without-native',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^pg-native$/ }, () => ({ path: 'pg-native', namespace: 'without' }));
    onLoad({ filter: /.*/, namespace: 'without' }, () => ({
      contents: "throw new Error('pg-native is no part of this program');",
    }));
  },
};

/** Of the known issues, what no answer of a plain check or of the page tells is left out. */
export const recordsInShort = {
  name: 'records-in-short',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]known-issues[/\\]built-in\.json$/ }, ({ path }) => {
      const { records, notes, ...set } = JSON.parse(readFileSync(path, 'utf8'));
      const short = { ...set, records: records.map(withoutProse), notes: notes.map(withoutProse) };
      return { contents: JSON.stringify(short), loader: 'json' };
    });
  },
};

/** Leaves out of a plain check what `plain-modules.js` does not list. */
export const onlyPlainCheck = {
  name: 'only-plain-check',
  setup({ onResolve, onLoad }) {
    const gone = lazyInPlain.filter((module) => module.startsWith('src/') && !existsSync(module));
    if (gone.length > 0)
      throw new Error(`scripts/plain-modules.js lists what is not there: ${gone.join(', ')}`);
    recordsInShort.setup({ onLoad });
    onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const module = path.startsWith('.')
        ? relative('.', resolve(resolveDir, path)).replaceAll('\\', '/').replace(/\.js$/, '.ts')
        : path;
      if (lazyInPlain.includes(module)) return undefined;
      return module === 'src/launch/main.ts'
        ? { path: './main.cjs', external: true }
        : { path: 'any', namespace: 'left-out' };
    });
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: "import { fallBackToMain } from './src/launch/plain-fallback.ts'; fallBackToMain();",
      resolveDir: process.cwd(),
    }));
  },
};
