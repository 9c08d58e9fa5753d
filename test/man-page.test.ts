import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { manPages } from '../scripts/docs/man-page.js';
import { declaredCommands } from './support/declarations.js';
import { temporaryFolder } from './support/temporary-folder.js';

const folder = temporaryFolder();
const commands = await declaredCommands();
const pages = manPages(commands);
for (const [name, page] of pages) writeFileSync(join(folder, name), page);

/** A page as a terminal shows it, without what is struck over. */
function shown(name: string, width: number): string {
  return execFileSync('mandoc', ['-Tutf8', '-O', `width=${width}`, join(folder, name)], {
    encoding: 'utf8',
  }).replaceAll(new RegExp(`.${String.fromCharCode(8)}`, 'g'), '');
}

describe('the pages of man', () => {
  it('are those that the package says it has', () => {
    expect(packageJson.man).toEqual([...pages.keys()].map((name) => `./dist/man/${name}`));
  });

  it.each([...pages.keys()])('%s is roff without a fault', (name) => {
    const { status, stdout, stderr } = spawnSync('mandoc', ['-Tlint', '-Wwarning', join(folder, name)], {
      encoding: 'utf8',
    });
    // A page that is made of declarations has no date of its own.
    const found = `${stdout}${stderr}`.split('\n').filter((line) => !/missing date|^$/.test(line));
    expect(found).toEqual([]);
    expect(status).toBeLessThanOrEqual(2);
  });

  it.skipIf(spawnSync('groff', ['--version']).status !== 0)('are set at 80 columns without a warning', () => {
    for (const [name, page] of pages) {
      const { status, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-rLL=80n', '-ww'], {
        input: page,
        encoding: 'utf8',
      });
      expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
    }
  });

  it('the first one leads to all others', () => {
    const first = shown('lightspan.1', 80).replaceAll(/\s+/g, ' ');
    for (const { name, command } of commands) {
      expect(first).toContain(`lightspan ${name}`);
      expect(first).toContain(command.description().replaceAll(/\s+/g, ' '));
    }
  });

  it.each(commands)(
    '$name: every option, exit code and example is as it is typed',
    ({ name, command, usage }) => {
      const page = shown(`lightspan-${name.replaceAll(' ', '-')}.1`, 200).replaceAll(/\s+/g, ' ');
      const help = command.createHelp();
      const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
      for (const option of options) {
        expect(page).toContain(`${help.optionTerm(option)} `);
        expect(page).toContain(help.optionDescription(option).replaceAll(/\s+/g, ' '));
      }
      for (const meaning of Object.values(usage?.exitCodes ?? {}))
        expect(page).toContain(meaning.replaceAll(/\s+/g, ' '));
      for (const example of usage?.examples ?? []) expect(page).toContain(example.replaceAll(/\s+/g, ' '));
    },
  );
});
