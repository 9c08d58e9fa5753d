import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/** Builds dist/: the program, one bundle and its lazily loaded parts, and the library, for import and for require. */

rmSync('dist', { recursive: true, force: true });

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'esm',
  logLevel: 'warning',
  legalComments: 'none',
};

await build({
  ...shared,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  chunkNames: 'main-[hash]',
  splitting: true,
  minify: true,
  // commander is CommonJS, and asks for Node's own modules by require.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
await build({ ...shared, entryPoints: ['src/index.ts'], outfile: 'dist/index.js', packages: 'external' });
await build({
  ...shared,
  entryPoints: ['src/index.ts'],
  outfile: 'dist/cjs/index.js',
  format: 'cjs',
  packages: 'external',
});
// The folder's own package.json makes Node and TypeScript read what is in it as CommonJS.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
