import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { writeScripts } from '../../../src/app/plan/hop-scripts.js';
import type { RenderedHop } from '../../../src/steps/hop-block.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const here = process.cwd();
afterEach(() => process.chdir(here));

it.each(['-o9', '--', '-', 'hops'])(
  'names the scripts in %s so that a shell takes them for files',
  async (out) => {
    process.chdir(temporaryFolder());
    const scriptOf = (name: string) => ({ name, text: 'echo ran\n' });
    const back = { script: scriptOf('hop-1-back.sh') };
    const hop = { script: scriptOf('hop-1-1.0.0-to-1.1.0.sh'), back } as RenderedHop;
    const written = await writeScripts(out, [hop], scriptOf('lib.sh'));
    const files = written.flatMap(({ script, back }) => [script, back]);
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(readFileSync(file, 'utf8')).toBe('echo ran\n');
      expect(execFileSync('sh', [file], { encoding: 'utf8' })).toBe('ran\n');
    }
  },
);
