import { rmSync } from 'node:fs';

/** Files that stand for something that is under way: an output that is not whole yet, a lock. */
const temporaryFiles = new Set<string>();

/** Marks a file as temporary, to be removed should the process be interrupted, until it is called back. */
export function markTemporary(path: string): { readonly done: () => void } {
  temporaryFiles.add(path);
  return { done: () => temporaryFiles.delete(path) };
}

/** Removes what is left, at once: an interrupted process has no time to wait. */
export function removeTemporaryFiles(): void {
  for (const path of temporaryFiles) rmSync(path, { force: true });
}
