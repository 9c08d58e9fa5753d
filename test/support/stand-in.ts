import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

/** A PATH on which a shell script stands in for a program, before all others; `$ASIDE` is a folder of its own. */
export function standIn(program: string, script: string): { readonly PATH: string; readonly ASIDE: string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, program), 0o755);
  return { PATH: `${folder}${delimiter}${process.env.PATH}`, ASIDE: temporaryFolder() };
}

/** A word of a shell that stands for itself. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
