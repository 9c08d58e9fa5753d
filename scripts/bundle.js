import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { lazyChildProcess, shared } from './bundle-options.js';
import { billOfMaterials, licenceTexts, packagesIn } from './third-party.js';

/**
 * Builds dist/, or the folder that is named: the program, the library for import and for require, the licences of what
 * is inside, and the bill of materials.
 */
const [dist = 'dist'] = process.argv.slice(2);

/** Packages that few commands load and that are large: each is a file of its own. */
const apart = ['undici', 'yaml'];

const bundled = packagesIn(await buildProgram(join(dist, 'program')));
await buildLibrary();
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licenceTexts(bundled));
writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(bundled), undefined, 2)}\n`);
await buildAction();

/**
 * The program as CommonJS, because Node starts a CommonJS file 4 ms sooner than a module: `start.cjs`, which bin/ loads
 * first, `main.cjs`, and the packages apart. What is imported lazily is in main.cjs too, and run when it is asked for.
 */
async function buildProgram(folder) {
  const program = {
    ...shared,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    write: false,
    metafile: true,
    plugins: [lazyChildProcess],
    supported: { 'dynamic-import': false },
  };
  const fileOf = (name) => `./${name}.cjs`;
  const builds = await Promise.all([
    build({
      ...program,
      entryPoints: { start: 'src/start.ts', main: 'src/main.ts' },
      alias: Object.fromEntries(apart.map((name) => [name, fileOf(name)])),
      external: apart.map(fileOf),
    }),
    build({ ...program, entryPoints: Object.fromEntries(apart.map((name) => [name, name])) }),
  ]);
  replaceFiles(
    folder,
    builds.flatMap(({ outputFiles }) => outputFiles),
  );
  return { inputs: Object.assign({}, ...builds.map(({ metafile }) => metafile.inputs)) };
}

/** A program that starts meanwhile finds the old file or the new one, whole. */
function replaceFiles(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of files) {
    writeFileSync(`${path}.new`, contents);
    renameSync(`${path}.new`, path);
  }
  const names = files.map(({ path }) => basename(path));
  for (const name of readdirSync(folder)) if (!names.includes(name)) rmSync(join(folder, name));
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
