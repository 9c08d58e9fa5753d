import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: shared.target,
      // import() becomes a deferred require().
      supported: { 'dynamic-import': false },
      minify: true,
    });
    writeFileSync(path, code);
  }
  return metafile;
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
