import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Bun, the compiler of the executable: npm installs the package of this platform beside `bun`, which would only link it,
 * by a script.
 */
export function findBun() {
  const packages = join('node_modules', '@oven');
  const [name] = existsSync(packages) ? readdirSync(packages) : [];
  if (name === undefined) {
    throw new Error(
      `${packages} is empty: npm ci installs the compiler for ${process.platform}-${process.arch}, if there is one`,
    );
  }
  return join(packages, name, 'bin', process.platform === 'win32' ? 'bun.exe' : 'bun');
}
