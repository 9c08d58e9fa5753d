import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { lazyChildProcess, shared } from './bundle-options.js';
import { billOfMaterials, licenceTexts, packagesIn } from './third-party.js';

/**
 * Builds dist/, or the folder that is named: the program, the library for import and for require, the licences of what
 * is inside, and the bill of materials.
 */
const [dist = 'dist'] = process.argv.slice(2);

/**
 * esbuild, when it splits, gives `import()` of a CommonJS package a default export and no names, which TypeScript and
 * Node both give it. This names them.
 */
const nameLazyPackages = {
  name: 'name-lazy-packages',
  setup(build) {
    build.onResolve({ filter: /^[a-z@]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' && !path.startsWith('node:')
        ? { path, namespace: 'lazy-package' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'lazy-package' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => /^[a-zA-Z_$][\w$]*$/.test(name));
      return { contents: `export { ${names.join(', ')} } from '${path}';`, resolveDir: process.cwd() };
    });
  },
};

/**
 * Source files whose parts are loaded together, with all that they import: what every `upgrade-check` loads, and what
 * it loads beside that for an index behind a URL. esbuild alone makes 30 and 20 small parts of them, since other
 * commands share many.
 */
const loadedTogether = [
  [
    'src/main.ts',
    'src/cli.ts',
    'src/commands/upgrade-check/declaration.ts',
    'src/commands/upgrade-check/run.ts',
  ],
  ['src/sources/fetch-cached.ts', 'src/sources/cache.ts', 'src/http/client.ts'],
];

const bundled = packagesIn(await buildProgram(join(dist, 'program')));
await buildLibrary();
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licenceTexts(bundled));
writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(bundled), undefined, 2)}\n`);
await buildAction();

/**
 * The program as CommonJS, because Node starts a CommonJS file 4 ms sooner than a module, and in parts, so that each
 * command loads what it needs. esbuild splits modules only: so it makes modules, and then each is made CommonJS.
 */
async function buildProgram(folder) {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: { main: 'src/main.ts' },
    outdir: folder,
    chunkNames: '[hash]',
    outExtension: { '.js': '.cjs' },
    format: 'esm',
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    plugins: [lazyChildProcess, nameLazyPackages],
  });
  let files = new Map();
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: shared.target,
      // import() becomes a deferred require().
      supported: { 'dynamic-import': false },
      minify: true,
    });
    files.set(basename(path), code);
  }
  const joined = new Map();
  for (const entries of loadedTogether) {
    const names = staticPartsOf(entries, metafile).filter((name) => !joined.has(name));
    files = joinParts(files, names, joined);
    for (const name of names) joined.set(name, names[0]);
  }
  replaceFiles(folder, files);
  return metafile;
}

/**
 * A program that starts meanwhile finds the old one or the new one, whole: parts have names of their contents, so the
 * new ones stand beside the old until main.cjs, which comes last, leads to them.
 */
function replaceFiles(folder, files) {
  mkdirSync(folder, { recursive: true });
  const { 'main.cjs': main, ...parts } = Object.fromEntries(files);
  for (const [name, code] of [...Object.entries(parts), ['main.cjs', main]]) {
    const aside = join(folder, `${name}.new`);
    writeFileSync(aside, code);
    renameSync(aside, join(folder, name));
  }
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
}

/** The names of the parts that these source files are in, and of all that those import, the first source file's first. */
function staticPartsOf(entries, { outputs }) {
  const names = new Set();
  const add = (path) => {
    if (names.has(basename(path))) return;
    names.add(basename(path));
    for (const { path: imported, kind, external } of outputs[path].imports) {
      if (kind === 'import-statement' && external !== true) add(imported);
    }
  };
  for (const entry of entries) {
    add(Object.keys(outputs).find((path) => outputs[path].entryPoint === entry) ?? entry);
  }
  return [...names];
}

/**
 * Puts parts into one file: Node takes a third of a millisecond to find, read and compile each, whatever its size. A
 * part is still run only when it is first required, and once: one that stays a file of its own reaches a joined part
 * through a file that hands on what the first of them keeps.
 *
 * @param {Map<string, string>} files file name -> CommonJS
 * @param {string[]} names those to join, into the file of the first
 * @param {Map<string, string>} joined those that are joined already, and into which file
 * @returns {Map<string, string>} the files to write
 */
function joinParts(files, [into, ...others], joined) {
  const handOn = (name) => `module.exports=require('./${into}').part('./${name}');`;
  const functions = [into, ...others].map(
    (name) => `'./${name}'(module,exports,require){${files.get(name)}}`,
  );
  const owners = JSON.stringify(
    Object.fromEntries([...joined].map(([name, file]) => [`./${name}`, `./${file}`])),
  );
  const registry = `'use strict';const parts={${functions.join(',\n')}};const loaded=new Map();
const part=(name)=>{let module=loaded.get(name);if(module===undefined){module={exports:{}};loaded.set(name,module);
parts[name](module,module.exports,load)}return module.exports};
const owners=${owners};const load=(name)=>Object.hasOwn(parts,name)?part(name)
:Object.hasOwn(owners,name)?require(owners[name]).part(name):require(name);
module.exports=part('./${into}');module.exports.part=part;`;
  return new Map([...files, [into, registry], ...others.map((name) => [name, handOn(name)])]);
}

async function buildLibrary() {
  const library = { ...shared, entryPoints: ['src/index.ts'], packages: 'external' };
  await build({ ...library, outfile: join(dist, 'index.js'), format: 'esm' });
  await build({ ...library, outfile: join(dist, 'cjs', 'index.js'), format: 'cjs' });
  // The folder's own package.json makes Node and TypeScript read what is in it as CommonJS.
  writeFileSync(join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
}

/** The GitHub action as one file, because an action runs from a tag of the repository, without an installation. */
async function buildAction() {
  await build({
    ...shared,
    entryPoints: ['src/action.ts'],
    outfile: join(dist, 'action', 'index.cjs'),
    format: 'cjs',
    minify: true,
    plugins: [lazyChildProcess],
  });
}
