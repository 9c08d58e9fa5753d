import { describe, expect, it } from 'vitest';
import { answerRequests, envOfAnswers } from '../support/answers.js';
import { runCli } from '../support/cli.js';

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

const api = answerRequests();
const list = () => runCli(['org', 'users'], { env: envOfAnswers });

describe('lightspan org users', () => {
  it.each([
    ['a list', users, table],
    ['a page of a list', { data: users }, table],
    ['no list', { total: '\u001b' }, '{\n  "total": "\\u001b"\n}\n'],
    ['nothing', null, 'null\n'],
  ])('shows %s', async (_, results, stdout) => {
    api().get('/api/v1/org/users').reply(200, { status: 'ok', results });
    expect(await list()).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('reads every page of a list that says it is one', async () => {
    const page = (number: number, data: unknown[]) => ({
      status: 'ok',
      results: { data, pagination: { page: number } },
    });
    api()
      .get('/api/v1/org/users')
      .reply(200, page(1, users.slice(0, 1)));
    api()
      .get('/api/v1/org/users?page=2')
      .reply(200, page(2, users.slice(1)));
    api().get('/api/v1/org/users?page=3').reply(200, page(3, []));
    expect(await list()).toMatchObject({ code: 0, stdout: table });
    // One that does not know pages gives the first again.
    api()
      .get(/^\/api\/v1\/org\/users/)
      .twice()
      .reply(200, page(1, users));
    expect(await list()).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('the list of users: page 2 repeats an item of page 1'),
    });
  });

  it('needs no project, and --json is the answer as it came', async () => {
    api().get('/api/v1/org/users').reply(200, { status: 'ok', results: users });
    const { LIGHTDASH_PROJECT: _, ...env } = envOfAnswers;
    const { code, stdout } = await runCli(['org', 'users', '--json'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: '1', status: 'ok', results: users });
  });
});
