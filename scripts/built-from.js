import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a build reads, files and folders: our own, and the packages by what npm says of them. */
const sources = [
  ...['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...['fixtures/release-safety-index.json', 'node_modules/.package-lock.json'],
];

/** What says from which source its files are built: the bundles, which the tests run, and all that the package holds. */
const marks = {
  bundles: {
    name: 'built-from.json',
    folders: ['program', 'cjs', 'esm', 'action'],
    has: (file) => !file.endsWith('.d.ts'),
  },
  all: { name: 'packed-from.json', folders: ['program', 'cjs', 'esm', 'action', 'man'], has: () => true },
};

/** Says in a folder which source its files are built from. A build that ends before has said nothing. */
export function markBuilt(dist, root = '.', part = 'bundles') {
  const mark = { source: sourceDigest(root), files: digestsOf(dist, builtIn(dist, part)) };
  writeFileSync(join(dist, marks[part].name), `${JSON.stringify(mark, undefined, 2)}\n`);
}

/** Before a build: from now on, the folder is built from nothing. */
export function unmarkBuilt(dist) {
  for (const { name } of Object.values(marks)) rmSync(join(dist, name), { force: true });
}

/** Whether every file of a folder is still the one that was built, from the source as it is now, with this Node. */
export function isBuilt(dist, root = '.', part = 'bundles') {
  const mark = join(dist, marks[part].name);
  if (!existsSync(mark)) return false;
  const { source, files } = JSON.parse(readFileSync(mark, 'utf8'));
  const names = Object.keys(files);
  return (
    source === sourceDigest(root) &&
    names.every((name) => existsSync(join(dist, name))) &&
    JSON.stringify(digestsOf(dist, names)) === JSON.stringify(files) &&
    builtIn(dist, part).every((name) => names.includes(name))
  );
}

function builtIn(dist, part) {
  const { folders, has } = marks[part];
  const files = folders
    .filter((folder) => existsSync(join(dist, folder)))
    .flatMap((folder) => readdirSync(join(dist, folder)).map((name) => `${folder}/${name}`));
  return [...files.filter(has), 'THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json'].sort();
}

function digestsOf(folder, names) {
  return Object.fromEntries(names.map((name) => [name, digestOf(readFileSync(join(folder, name)))]));
}

function sourceDigest(root) {
  const files = sources.flatMap((source) =>
    statSync(join(root, source), { throwIfNoEntry: false })?.isDirectory()
      ? readdirSync(join(root, source), { recursive: true })
          .map((name) => join(source, name))
          .filter((name) => statSync(join(root, name)).isFile())
          .sort()
      : [source],
  );
  const lines = files.map((file) => {
    const path = join(root, file);
    return `${file} ${existsSync(path) ? digestOf(readFileSync(path)) : 'none'}`;
  });
  return digestOf([process.version, ...lines].join('\n'));
}

function digestOf(content) {
  return createHash('sha256').update(content).digest('hex');
}
