import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { describe, expect, it } from 'vitest';
import { plainPalette } from '../../src/answer/formats/palette.js';
import { choosePalette, colourLevel } from '../../src/door/context.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const terminal = { write: () => {}, isTTY: true };
const pipe = { write: () => {} };

describe('the level of colour', () => {
  it.each<[env: Record<string, string>, inPipe: number, onTerminal: number]>([
    [{}, 0, 1],
    [{ TERM: 'dumb' }, 0, 0],
    [{ TERM: 'xterm-256color' }, 0, 1],
    [{ NO_COLOR: '1' }, 0, 0],
    [{ NO_COLOR: '0' }, 0, 0],
    [{ NO_COLOR: '' }, 0, 1],
    [{ FORCE_COLOR: '' }, 0, 1],
    [{ FORCE_COLOR: '0' }, 0, 0],
    [{ FORCE_COLOR: 'false' }, 0, 0],
    [{ FORCE_COLOR: 'true' }, 1, 1],
    [{ FORCE_COLOR: 'yes' }, 1, 1],
    [{ FORCE_COLOR: '-1' }, 1, 1],
    [{ FORCE_COLOR: '1' }, 1, 1],
    [{ FORCE_COLOR: '2' }, 2, 2],
    [{ FORCE_COLOR: '3' }, 3, 3],
    [{ FORCE_COLOR: '4' }, 3, 3],
    [{ FORCE_COLOR: '3', TERM: 'dumb' }, 3, 3],
    [{ FORCE_COLOR: '3', NO_COLOR: '1' }, 0, 0],
    [{ FORCE_COLOR: '0', NO_COLOR: '' }, 0, 0],
  ])('%j: %i in a pipe, %i on a terminal; a flag comes first', (env, inPipe, onTerminal) => {
    expect(colourLevel({}, { env, stdout: pipe })).toBe(inPipe);
    expect(colourLevel({}, { env, stdout: terminal })).toBe(onTerminal);
    for (const stdout of [pipe, terminal]) {
      expect(colourLevel({ color: false }, { env, stdout })).toBe(0);
      expect(colourLevel({ color: true }, { env, stdout })).toBe(1);
    }
  });
});

describe('the palette', () => {
  it.each(['1', '2', '3'])('has the same sixteen colours at level %s', async (FORCE_COLOR) => {
    const { good, bad, warn, bold, dim } = await choosePalette({}, { env: { FORCE_COLOR }, stdout: pipe });
    expect([good('a'), bad('a'), warn('a'), bold('a'), dim('a')]).toEqual(
      (['green', 'red', 'yellow', 'bold', 'dim'] as const).map((format) =>
        styleText(format, 'a', { validateStream: false }),
      ),
    );
    expect(bold(good('a'))).toBe('\u001b[1m\u001b[32ma\u001b[39m\u001b[22m');
  });

  it('is the plain one at level 0', async () => {
    expect(await choosePalette({ color: false }, { env: {}, stdout: terminal })).toBe(plainPalette);
  });
});

describe('chalk is loaded in a pipe', () => {
  const watch = join(temporaryFolder(), 'watch.cjs');
  const said = "process.stderr.write('\\nloaded ' + Object.keys(require.cache).join(' '))";
  writeFileSync(watch, `process.on('exit', () => ${said});`);

  it.each<[name: string, options: string[], env: Record<string, string>, coloured: boolean]>([
    ['text', [], {}, false],
    ['text, by the whole program', ['--known-issues', 'known-issues'], {}, false],
    ['JSON', ['--json'], {}, false],
    ['JSON that is told to have colour', ['--json'], { FORCE_COLOR: '1' }, false],
    ['NO_COLOR', [], { NO_COLOR: '1' }, false],
    ['NO_COLOR and FORCE_COLOR', [], { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['FORCE_COLOR', [], { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR, by the whole program', ['--known-issues', 'known-issues'], { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', [], { FORCE_COLOR: '0' }, false],
    ['--no-color and FORCE_COLOR', ['--no-color'], { FORCE_COLOR: '1' }, false],
    ['--color and NO_COLOR', ['--color'], { NO_COLOR: '1' }, true],
  ])('where it writes colour, and nowhere else: %s', (_, options, own, coloured) => {
    const argv = [
      'upgrade-check',
      '--index',
      realIndexFile,
      '--from',
      '1.121.0',
      '--to',
      '1.123.0',
      ...options,
    ];
    const env = { LIGHTSPAN_CACHE_DIR: temporaryFolder(), ...own };
    const { stdout, stderr } = spawnSync(nodeUnderTest, ['--require', watch, 'bin/lightspan.cjs', ...argv], {
      encoding: 'utf8',
      env,
    });
    expect(stdout).toContain('1.123.0');
    expect(stdout.includes('\u001b[')).toBe(coloured);
    const [loaded = ''] = /^loaded .*/m.exec(stderr) ?? [];
    expect(loaded).toMatch(/[/\\]start\.cjs/);
    expect(/[/\\]chalk\.cjs/.test(loaded)).toBe(coloured);
  });
});
