import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes files into a folder, and a SHA256SUMS that lists them all. */
export async function writeTestMirror(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await writeFile(join(folder, 'SHA256SUMS'), sumsOf(files));
}

export function sumsOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  return Object.entries(files)
    .map(([path, content]) => `${createHash('sha256').update(content).digest('hex')}  ${path}\n`)
    .join('');
}
