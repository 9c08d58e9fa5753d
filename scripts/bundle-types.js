import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDtsBundle } from 'dts-bundle-generator';
import { libraryEntries } from './bundle-options.js';

/**
 * Builds the types of the library for require, of which those for import are no copy: a type is the same in both. What
 * they say in terms of zod and lossless-json is written out in them, so that a user's compiler needs no package beside
 * this one.
 */

const folder = mkdtempSync(join('dist', 'types-'));
try {
  const tsc = 'node_modules/typescript/bin/tsc';
  execFileSync(process.execPath, [tsc, '--project', 'tsconfig.build.json', '--outDir', folder], {
    stdio: 'inherit',
  });
  // It compiles what it is given with a TypeScript of its own, which does not read the options of ours.
  const config = join(folder, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        module: 'nodenext',
        strict: true,
        skipLibCheck: true,
        types: ['node'],
      },
    }),
  );
  const entry = {
    filePath: join(folder, 'library', 'index.d.ts'),
    noCheck: true,
    libraries: {
      inlinedLibraries: ['zod', 'lossless-json'],
      importedLibraries: [],
      allowedTypesLibraries: [],
    },
    output: { noBanner: true, exportReferencedTypes: false },
  };
  const [types] = generateDtsBundle([entry], { preferredConfigPath: config });
  for (const name of libraryEntries) {
    // The main entry has all that the others have: they name it from there.
    const named = readFileSync(join(folder, 'library', `${name}.d.ts`), 'utf8');
    const written = name === 'index' ? types : named.replaceAll(/ from '.*'/g, " from './index.js'");
    writeFileSync(join('dist', 'cjs', `${name}.d.ts`), written);
    writeFileSync(join('dist', 'esm', `${name}.d.ts`), `export * from '../cjs/${name}.js';\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
