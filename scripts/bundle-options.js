import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

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

/** Leaves out every other command, and all that it loads: it is never asked for. */
export const onlyCommands = (...names) => ({
  name: 'only-commands',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\// }, ({ path, importer, kind }) =>
      /[/\\]commands[/\\]program\.ts$/.test(importer) &&
      kind === 'dynamic-import' &&
      !names.includes(basename(path, '.js'))
        ? { path, namespace: 'other-command' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'other-command' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is in main.cjs alone`)})`,
    }));
  },
});

/**
 * What a plain check loads lazily. Any other module that is loaded so is left out: where it is asked for, the check
 * leaves it to the program that is named.
 */
const lazyInPlainCheck =
  /\/(answer\/(formats\/log-text|words\/notices)|core\/words\/accepted|known-issues\/demand-words)\.js$/;

/** And besides, if it is answered as text. */
const lazyInText = /\/answer\/(builders\/(check|no-release|questions)|formats\/text)\.js$|^chalk$/;

/** And besides, if its index is behind a URL. */
const lazyInFetchedCheck =
  /\/(fetch-cached|http\/client|files\/sha256|waiting)\.js$|^node:(https?|zlib|stream|timers\/promises)$/;

/**
 * Of a record, no answer tells these. What joins records from elsewhere, and compares them, is no part of a plain
 * check.
 */
function withoutStory({ schemaVersion, aliases, details, evidence, published, references, ...told }) {
  return told.kind === undefined ? told : { ...told, references };
}

export const onlyPlainCheck = (program, { fetches, asText }) => ({
  name: 'only-plain-check',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /[/\\]known-issues[/\\]built-in\.json$/ }, ({ path }) => {
      const { records, notes, ...set } = JSON.parse(readFileSync(path, 'utf8'));
      const told = { ...set, records: records.map(withoutStory), notes: notes.map(withoutStory) };
      return { contents: JSON.stringify(told), loader: 'json' };
    });
    onResolve({ filter: /./ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import' || lazyInPlainCheck.test(path)) return undefined;
      if (fetches && lazyInFetchedCheck.test(path)) return undefined;
      if (asText && lazyInText.test(path)) return undefined;
      return path === './main.js'
        ? { path: program, external: true }
        : { path: 'any', namespace: 'left-out' };
    });
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: "import { leavePlainCheck } from './src/launch/doubt.ts'; leavePlainCheck();",
      resolveDir: process.cwd(),
    }));
  },
});
