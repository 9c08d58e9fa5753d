import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Lays out `build/container`: all the files of the image, which starts from nothing. They are the single executable
 * (`npm run build -- executable`), the libraries of this machine that it is linked with, and the certificates of this machine.
 * Linux alone: the image is for the architecture that this runs on.
 */

const root = 'build/container';
/** What the user of the image owns in it. */
const owned = 'build/container-user';
const executable = 'build/lightspan';
const certificates = '/etc/ssl/certs/ca-certificates.crt';

if (!existsSync(executable))
  throw new Error(`${executable} is not there: npm run build -- executable makes it`);
if (!existsSync(certificates)) {
  throw new Error(`${certificates} is not there: install the ca-certificates package`);
}
for (const folder of [root, owned]) rmSync(folder, { recursive: true, force: true });
mkdirSync(join(owned, 'cache'), { recursive: true, mode: 0o700 });

put(executable, 'usr/local/bin/lightspan', 0o755);
for (const library of librariesOf(executable)) put(realpathSync(library), library, 0o755);
put(certificates, certificates, 0o644);
for (const text of ['LICENSE', 'dist/THIRD-PARTY-LICENSES.txt', 'dist/sbom.cdx.json']) {
  put(text, join('usr/share/doc/lightspan', text.replace('dist/', '')), 0o644);
}
for (const owner of ['libc6', 'libgcc-s1', 'libstdc++6']) {
  const notice = `/usr/share/doc/${owner}/copyright`;
  if (existsSync(notice)) put(realpathSync(notice), notice, 0o644);
}
// The resolver looks names up in DNS only if it is told so.
write('etc/nsswitch.conf', 'hosts: files dns\n');
write('etc/passwd', 'root:x:0:0:root:/:/none\nlightspan:x:65532:65532:lightspan:/cache:/none\n');
write('etc/group', 'root:x:0:\nlightspan:x:65532:\n');

/** What the loader would load, and the loader itself. */
function librariesOf(file) {
  const lines = execFileSync('ldd', [file], { encoding: 'utf8' }).split('\n');
  const libraries = lines.flatMap((line) => /^\s*(?:\S+ => )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  if (libraries.length === 0) throw new Error(`ldd names no library of ${file}`);
  return libraries;
}

function put(from, to, mode) {
  const path = join(root, to);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(from, path);
  chmodSync(path, mode);
}

function write(to, text) {
  const path = join(root, to);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o644 });
}
