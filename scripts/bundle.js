import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { markBuilt, unmarkBuilt } from './built-from.js';
import {
  lazyChildProcess,
  lazyWidth,
  libraryEntries,
  onlyPlainCheck,
  shared,
  versionAndHomepage,
  withoutLocales,
  withoutNative,
} from './bundle-options.js';
import { compiledAtOnce } from './compiled-at-once.js';
import { billOfMaterials, licenceTexts, packagesIn } from './third-party.js';

/**
 * Builds dist/, or the folder that is named: the program, the library for import and for require, the licences of what
 * is inside, and the bill of materials.
 */
const [dist = 'dist'] = process.argv.slice(2);
unmarkBuilt(dist);

/**
 * Packages that are large and that few commands load, or a plain check only for a terminal: each is a file of its own.
 */
const apart = ['undici', 'yaml', 'pg', 'chalk', 're2js', 'dockerfile-ast'];
/** Builds of packages themselves that do the same with less: yaml's own for browsers asks for no variable at each token. */
const leaner = { yaml: resolve('node_modules/yaml/browser/index.js') };

const index = resolve('fixtures/release-safety-index.json');
const server = createServer((_, response) => response.setHeader('etag', '"a"').end(readFileSync(index)));
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}/index.json`;

const ofIndex = (command, ...options) => [command, '--index', index, ...options];

/** Checks as pipelines make them: safe or not, and with a known issue. */
const plainChecks = [
  ['--from', '1.121.0', '--to', '2.134.2'],
  ['--from', '1.121.0', '--to', '1.156.0'],
  ['--from', '2.125.0', '--to', '2.127.0'],
  ['--from', '2.125.0'],
].map((span) => ofIndex('upgrade-check', ...span));
const plainJson = plainChecks.map((check) => [...check, '--json']);
const plainFetched = plainJson.map((check) => check.map((word) => (word === index ? url : word)));

/** The route of today, and the longest; and a check as people make it. */
const decisions = [
  ofIndex('upgrade-plan', '--from', '1.121.0'),
  ofIndex('upgrade-plan', '--from', '0.1893.0'),
  ofIndex('upgrade-check', '--from', '1.121.0', '--fail-on', 'major'),
];

/** What is compiled when the file is loaded: what these command lines run. Most that ask a server want JSON. */
const compiledFor = { plain: [...plainChecks, ...plainJson, ...plainFetched], main: decisions };

const parts = [...(await buildProgram(join(dist, 'program'))), ...(await buildLibrary())];
const bundled = packagesIn(parts.map(({ metafile }) => metafile));
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licenceTexts(bundled));
writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(bundled), undefined, 2)}\n`);
await buildAction();
markBuilt(dist);

/**
 * The program as CommonJS, because Node starts a CommonJS file 4 ms sooner than a module: `start.cjs`, which bin/ loads
 * first, `main.cjs`, and the packages apart. What is imported lazily is in main.cjs too, and run when it is asked for.
 * `plain.cjs` is a check as pipelines make it, and nothing else; `version.cjs` and `help.cjs` write a text: Node takes 6 ms
 * to load all of main.cjs, even where it has compiled it.
 */
async function buildProgram(folder) {
  const program = {
    ...shared,
    format: 'cjs',
    minify: true,
    write: false,
    metafile: true,
    plugins: [withoutLocales, lazyChildProcess, lazyWidth, withoutNative, versionAndHomepage],
    supported: { 'dynamic-import': false },
  };
  const fileOf = (name) => `./${name}.cjs`;
  const ours = {
    ...program,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    alias: {
      ...Object.fromEntries(apart.map((name) => [name, fileOf(name)])),
      // A part of pg that is small, and needed where nothing is connected.
      'pg/lib/utils.js': resolve('node_modules/pg/lib/utils.js'),
    },
    external: apart.map(fileOf),
  };
  const builds = await Promise.all([
    build({
      ...ours,
      entryPoints: {
        start: 'src/launch/start.ts',
        version: 'src/launch/version.ts',
        main: 'src/launch/main.ts',
      },
    }),
    build({
      ...ours,
      entryPoints: { plain: 'src/launch/plain.ts' },
      plugins: [onlyPlainCheck, ...ours.plugins],
    }),
    ...apart.map(async (name) =>
      build({
        ...program,
        alias: leaner,
        stdin: await reexported(name),
        outfile: join(folder, `${name}.cjs`),
      }),
    ),
  ]);
  const [main] = builds.flatMap(({ outputFiles }) =>
    outputFiles.filter(({ path }) => path.endsWith('main.cjs')),
  );
  const define = { helpText: JSON.stringify(helpOf(main.text)) };
  builds.push(await build({ ...ours, entryPoints: { help: 'src/launch/help.ts' }, define }));
  const files = builds.flatMap(({ outputFiles }) => outputFiles);
  const finished = files.map(async ({ path, contents }) => {
    const commandLines = compiledFor[basename(path, '.cjs')];
    return { path, contents: commandLines ? await compiledAtOnce(path, files, commandLines) : contents };
  });
  replaceFiles(folder, await Promise.all(finished));
  server.close();
  return builds;
}

/** What the program writes for `--help` into a pipe. */
function helpOf(program) {
  const run = `${program}\nmodule.exports.main(['--help']);`;
  return execFileSync(process.execPath, ['-'], { input: run, env: {}, encoding: 'utf8' });
}

/** A package with its names spelt out: Node has to find them in CommonJS for the library that is imported. */
async function reexported(name) {
  const names = Object.keys(await import(name)).filter((key) => /^(?!default$)\w+$/.test(key));
  return { contents: `export { ${names} } from '${name}'`, resolveDir: '.' };
}

/** A program that starts meanwhile finds the old file or the new one, whole. */
function replaceFiles(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of files) {
    writeFileSync(`${path}.new`, contents);
    renameSync(`${path}.new`, path);
  }
  const names = files.map(({ path }) => basename(path));
  for (const name of readdirSync(folder)) {
    if (!names.includes(name)) rmSync(join(folder, name), { recursive: true });
  }
}

/**
 * The library, for require, and for import the same with its names spelt out: one copy of it is installed, and loaded
 * where a program does both. What its entries share stands in files of their own, so that one class of errors serves
 * all of them; what is large and loaded lazily it shares with the program.
 */
async function buildLibrary() {
  const [esm, cjs] = ['esm', 'cjs'].map((name) => resolve(dist, name));
  const library = await build({
    ...shared,
    entryPoints: Object.fromEntries(libraryEntries.map((name) => [name, `src/library/${name}.ts`])),
    write: false,
    metafile: true,
    alias: Object.fromEntries(apart.map((name) => [name, `../program/${name}.cjs`])),
    plugins: [withoutLocales, versionAndHomepage],
    external: ['../program/*'],
    outdir: cjs,
    // Only modules are split; each is made CommonJS afterwards.
    format: 'esm',
    splitting: true,
    chunkNames: 'shared-[hash]',
  });
  const files = library.outputFiles.map(async ({ path, text }) => {
    const { code } = await transform(text, { format: 'cjs', platform: 'node', target: shared.target });
    return { path, contents: code };
  });
  // The folder's own package.json makes Node and TypeScript read what is in it as CommonJS.
  const manifest = { path: join(cjs, 'package.json'), contents: '{ "type": "commonjs" }\n' };
  replaceFiles(cjs, [...(await Promise.all(files)), manifest]);
  const wrappers = libraryEntries.map((name) => {
    const names = Object.keys(createRequire(import.meta.url)(join(cjs, `${name}.js`)));
    const code = `import library from '../cjs/${name}.js';\nexport const { ${names.sort().join(', ')} } = library;\n`;
    return { path: join(esm, `${name}.js`), contents: code };
  });
  replaceFiles(esm, wrappers);
  return [library];
}

/** The GitHub action as one file, because an action runs from a tag of the repository, without an installation. */
async function buildAction() {
  await build({
    ...shared,
    entryPoints: ['src/launch/action.ts'],
    outfile: join(dist, 'action', 'index.cjs'),
    format: 'cjs',
    minify: true,
    plugins: [withoutLocales, lazyChildProcess, withoutNative],
  });
}
