import { chmodSync, cpSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Copies a file or a folder of the checkout, which may be read-only, for a test to write into and to remove. */
export function copyToWrite(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  makeWritable(to);
}

function makeWritable(path: string): void {
  const found = lstatSync(path);
  // What it leads to is no copy.
  if (found.isSymbolicLink()) return;
  chmodSync(path, found.mode | 0o200);
  if (!found.isDirectory()) return;
  for (const name of readdirSync(path)) makeWritable(join(path, name));
}
