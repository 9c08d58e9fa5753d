import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manPage } from '../scripts/docs/man-page.js';
import { declaredCommands } from './support/declarations.js';
import { temporaryFolder } from './support/temporary-folder.js';

const file = join(temporaryFolder(), 'lightspan.1');
const commands = await declaredCommands();
writeFileSync(file, manPage(commands));

describe('man lightspan', () => {
  it('is roff without a fault', () => {
    const { status, stdout, stderr } = spawnSync('mandoc', ['-Tlint', '-Wwarning', file], {
      encoding: 'utf8',
    });
    // A page that is made of declarations has no date of its own.
    const found = `${stdout}${stderr}`.split('\n').filter((line) => !/missing date|^$/.test(line));
    expect(found).toEqual([]);
    expect(status).toBeLessThanOrEqual(2);
  });

  it('shows every command, option and example as it is typed', () => {
    const shown = execFileSync('mandoc', ['-Tutf8', '-O', 'width=200', file], { encoding: 'utf8' })
      .replaceAll(new RegExp(`.${String.fromCharCode(8)}`, 'g'), '')
      .replaceAll(/\s+/g, ' ');
    for (const { command, usage } of commands) {
      const help = command.createHelp();
      const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
      for (const option of options) expect(shown).toContain(`${help.optionTerm(option)} `);
      for (const example of usage?.examples ?? []) expect(shown).toContain(example.replaceAll(/\s+/g, ' '));
    }
  });
});
