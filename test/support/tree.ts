import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { copyToWrite } from './copy.js';

/** What git would clone of this folder, once what is in it is committed. */
export function copyTree(folder: string): string {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { encoding: 'utf8' }).split('\0');
  for (const file of files) {
    if (file !== '' && existsSync(file)) copyToWrite(file, join(folder, file));
  }
  return folder;
}
