import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { envOf, startLightdash } from '../support/lightdash-server.js';

const users = [
  { userUuid: 'u1', email: 'a@example.com', firstName: 'A', lastName: 'B', role: 'admin', isActive: true },
  { userUuid: 'u2', email: 'c\u001b[2J@example.com', role: 'viewer', isActive: false },
];
const table = [
  'EMAIL                   FIRSTNAME  LASTNAME  ROLE    ISACTIVE  USERUUID',
  'a@example.com           A          B         admin   true      u1',
  'c\\u001b[2J@example.com                       viewer  false     u2',
  '',
].join('\n');

describe('lightspan org users', () => {
  it.each([
    ['a list', users, table],
    ['a page of a list', { data: users }, table],
    ['no list', { total: '\u001b' }, '{\n  "total": "\\u001b"\n}\n'],
    ['nothing', null, 'null\n'],
  ])('shows %s', async (_, results, stdout) => {
    const server = await startLightdash({ status: 'ok', results });
    expect(await runCli(['org', 'users'], { env: envOf(server) })).toEqual({ code: 0, stdout, stderr: '' });
    expect(server.received).toMatchObject([{ method: 'GET', url: '/api/v1/org/users' }]);
  });

  it('reads every page of a list that says it is one', async () => {
    const page = (number: number, data: unknown[]) => ({
      status: 'ok',
      results: { data, pagination: { page: number } },
    });
    const server = await startLightdash(page(1, users.slice(0, 1)), page(2, users.slice(1)), page(3, []));
    expect(await runCli(['org', 'users'], { env: envOf(server) })).toMatchObject({ code: 0, stdout: table });
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/v1/org/users',
      '/api/v1/org/users?page=2',
      '/api/v1/org/users?page=3',
    ]);
    const ignoring = await startLightdash(page(1, users));
    expect(await runCli(['org', 'users'], { env: envOf(ignoring) })).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('the list of users: page 2 repeats an item of page 1'),
    });
  });

  it('needs no project, and --json is the answer as it came', async () => {
    const server = await startLightdash({ status: 'ok', results: users });
    const { LIGHTDASH_PROJECT: _, ...env } = envOf(server);
    const { code, stdout } = await runCli(['org', 'users', '--json'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: '1', status: 'ok', results: users });
  });
});
