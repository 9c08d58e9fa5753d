import { describe, expect, it } from 'vitest';
import { takesUtf8 } from '../../src/commands/context.js';
import { runCli } from '../support/cli.js';
import { realIndexFile } from '../support/real-index.js';

type Env = Record<string, string>;

describe('the locale', () => {
  it.each<[env: Env, expected: boolean]>([
    [{}, false],
    [{ LANG: '' }, false],
    [{ LANG: 'C' }, false],
    [{ LANG: 'POSIX' }, false],
    [{ LANG: 'de_DE' }, false],
    [{ LANG: 'de_DE.ISO-8859-1' }, false],
    [{ LANG: 'en_US.UTF-8' }, true],
    [{ LANG: 'C.utf8' }, true],
    [{ LANG: 'de_DE.UTF-8@euro' }, true],
    [{ LC_CTYPE: 'UTF-8' }, true],
    [{ LC_CTYPE: 'C', LANG: 'en_US.UTF-8' }, false],
    [{ LC_CTYPE: 'en_US.UTF-8', LANG: 'C' }, true],
    [{ LC_ALL: 'C', LC_CTYPE: 'en_US.UTF-8', LANG: 'en_US.UTF-8' }, false],
    [{ LC_ALL: 'en_US.UTF-8', LC_CTYPE: 'C', LANG: 'C' }, true],
    [{ LC_ALL: '', LC_CTYPE: '', LANG: 'en_US.UTF-8' }, true],
    [{ LC_MESSAGES: 'en_US.UTF-8' }, false],
    [{ LANG: 'notutf-8' }, false],
  ])('%j: UTF-8 %j', (env, expected) => {
    expect(takesUtf8(env)).toBe(expected);
  });

  const check = ['upgrade-check', '--from', '1.111.0', '--to', '1.115.0', '--index', realIndexFile];
  const nonAscii = /[^\0-\u007f]/;

  it('without UTF-8 makes a terminal get ASCII', async () => {
    for (const LC_ALL of ['', 'C']) {
      const { stdout } = await runCli([...check, '--no-color'], { columns: 80, env: { LC_ALL } });
      expect(stdout).toContain('\n#????\n? 4 unknown  # 1 false\n');
      expect(stdout).not.toMatch(nonAscii);
    }
    const { stdout } = await runCli([...check, '--no-color'], { columns: 80, env: { LC_ALL: 'C.UTF-8' } });
    expect(stdout).toContain('\n█▄▄▄▄\n▄ 4 unknown  █ 1 false\n');
  });

  it('without UTF-8 makes messages ASCII, wherever they go', async () => {
    const { stderr } = await runCli([...check.slice(0, 5), '--index', 'größe']);
    expect(stderr).toContain('gr\\u00f6\\u00dfe');
    expect(stderr).not.toMatch(nonAscii);
    const { stderr: whole } = await runCli([...check.slice(0, 5), '--index', 'größe'], {
      env: { LANG: 'C.UTF-8' },
    });
    expect(whole).toContain('größe');
  });

  it('changes nothing of what goes into a pipe, and no value of JSON', async () => {
    const missing = ['upgrade-check', '--json', '--from', '1.0.0', '--to', '1.1.0', '--index', 'größe█'];
    const piped = await runCli(missing);
    expect(piped.stdout).toContain('größe█');
    const shown = await runCli(missing, { columns: 80 });
    expect(shown.stdout).not.toMatch(nonAscii);
    expect(JSON.parse(shown.stdout)).toEqual(JSON.parse(piped.stdout));
  });
});
