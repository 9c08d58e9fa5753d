import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a build reads, files and folders: our own, and the packages by what npm says of them. */
const sources = [
  ...['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'],
  ...['fixtures/release-safety-index.json', 'node_modules/.package-lock.json'],
];

const nameOf = (dist) => join(dist, 'built-from.json');

/** Says in a folder which source its files are built from. A build that ends before has said nothing. */
export function markBuilt(dist, root = '.') {
  const mark = { source: sourceDigest(root), files: digestsOf(dist, builtIn(dist)) };
  writeFileSync(nameOf(dist), `${JSON.stringify(mark, undefined, 2)}\n`);
}

/** Before a build: from now on, the folder is built from nothing. */
export function unmarkBuilt(dist) {
  rmSync(nameOf(dist), { force: true });
}

/** Whether every file of a folder is still the one that was built, from the source as it is now, with this Node. */
export function isBuilt(dist, root = '.') {
  if (!existsSync(nameOf(dist))) return false;
  const { source, files } = JSON.parse(readFileSync(nameOf(dist), 'utf8'));
  const names = Object.keys(files);
  return (
    source === sourceDigest(root) &&
    names.every((name) => existsSync(join(dist, name))) &&
    JSON.stringify(digestsOf(dist, names)) === JSON.stringify(files) &&
    builtIn(dist).every((name) => names.includes(name))
  );
}

/** The types and the manual are built by others. */
function builtIn(dist) {
  const folders = ['program', 'cjs', 'esm', 'action'].filter((folder) => existsSync(join(dist, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(dist, folder))
      .filter((name) => !name.endsWith('.d.ts'))
      .map((name) => `${folder}/${name}`),
  );
  return [...files, 'THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json'].sort();
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
