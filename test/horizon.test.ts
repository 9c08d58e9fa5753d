import { describe, expect, it } from 'vitest';
import { reportHorizon } from '../scripts/horizon.js';
import { parseReleaseSafetyIndex } from '../src/core/index/parse-index.js';
import { indexOf } from './support/real-index.js';
import { serve } from './support/server.js';

const token = 'a-token-of-the-workflow';

/** GitHub on loopback: it takes what the API documents, with the token, and nothing else. */
async function startGitHub({ open = [], releases = [] }: { open?: object[]; releases?: object[][] }) {
  const written: { readonly method: string; readonly url: string; readonly body: Record<string, unknown> }[] =
    [];
  const { url } = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const json = (value: unknown, status = 200) => response.writeHead(status).end(JSON.stringify(value));
      if (headers.authorization !== `Bearer ${token}`) return json({}, 401);
      const { pathname, searchParams } = new URL(url, 'http://github');
      if (method === 'GET' && pathname === '/repos/lightdash/lightdash/releases') {
        return json(releases[Number(searchParams.get('page')) - 1] ?? []);
      }
      if (method === 'GET' && pathname === '/repos/acme/lightspan/issues') {
        return json(searchParams.get('labels') === 'known-issues-horizon' ? open : [{ number: 1 }]);
      }
      const isNew = method === 'POST' && pathname === '/repos/acme/lightspan/issues';
      if (!isNew && !(method === 'PATCH' && pathname === '/repos/acme/lightspan/issues/7'))
        return json({}, 404);
      written.push({ method, url, body: JSON.parse(text) });
      json({ number: 7 }, isNew ? 201 : 200);
    });
  });
  return { github: { api: url, token, repository: 'acme/lightspan' }, written };
}

const horizon = { version: '2.1.0', asOf: '2026-09-06' };
/** A type and no interface: rows of an index have any field. */
type Row = {
  readonly version: string;
  readonly releaseDate: string;
  readonly rollingUpdateSafe?: boolean;
  readonly requiredStops?: string[];
};
const index = (...rows: readonly Row[]) => parseReleaseSafetyIndex(indexOf(...rows));
const ahead = index(
  { version: '2.1.0', releaseDate: '2026-09-01T00:00:00Z' },
  {
    version: '2.2.0',
    releaseDate: '2026-09-20T00:00:00Z',
    rollingUpdateSafe: false,
    requiredStops: ['2.2.0'],
  },
  { version: '2.10.0', releaseDate: '2026-10-05T00:00:00Z' },
);

describe('the horizon of known issues', () => {
  it('is an issue where releases are newer by 30 days, with verdicts and titles of notes', async () => {
    const notes = '## Bug Fixes\n\n* **sql:** ping @all, see [#12](https://x/12) `code`\n- another\n\nText.';
    const { github, written } = await startGitHub({
      releases: [[{ tag_name: '2.10.0', body: notes }], [{ tag_name: '2.2.0', body: null }]],
    });
    await expect(reportHorizon(ahead, horizon, github)).resolves.toMatch(/^Opened: /);
    expect(written).toEqual([
      {
        method: 'POST',
        url: '/repos/acme/lightspan/issues',
        body: {
          title: 'Known issues end at 2.1.0, and releases reach 2.10.0',
          labels: ['known-issues-horizon'],
          body: expect.stringContaining(
            [
              '- 2.10.0, 2026-10-05, rolling update: true',
              '  - `sql: ping @all, see [#12]  code`',
              '  - `another`',
              '- 2.2.0, 2026-09-20, rolling update: false, stops: 2.2.0',
            ].join('\n'),
          ),
        },
      },
    ]);
  });

  it('is one issue: the open one is rewritten', async () => {
    const { github, written } = await startGitHub({ open: [{ number: 7 }] });
    await expect(reportHorizon(ahead, horizon, github)).resolves.toMatch(/^Issue 7 is up to date/);
    expect(written.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'PATCH /repos/acme/lightspan/issues/7',
    ]);
  });

  it.each([
    ['no release is newer', { version: '2.10.0', asOf: '2026-10-06' }],
    ['the newest is newer by less', { version: '2.2.0', asOf: '2026-09-21' }],
  ])('is none where %s', async (_, horizon) => {
    const { github, written } = await startGitHub({});
    await expect(reportHorizon(ahead, horizon, github)).resolves.toMatch(/^Nothing to do/);
    expect(written).toEqual([]);
  });

  it('has a body that GitHub takes, however many releases there are', async () => {
    const many = Array.from({ length: 2000 }, (_, i) => ({
      version: `2.${i + 2}.0`,
      releaseDate: new Date(Date.UTC(2026, 8, 2) + i * 3_600_000).toISOString(),
    }));
    const { github, written } = await startGitHub({});
    await reportHorizon(
      index({ version: '2.1.0', releaseDate: '2026-09-01T00:00:00Z' }, ...many),
      horizon,
      github,
    );
    const body = String(written[0]?.body.body);
    expect(body.length).toBeLessThan(65_536);
    expect(body).toMatch(/\n- and \d+ more\n/);
  });

  it('is not known where GitHub does not answer as it should', async () => {
    const { github } = await startGitHub({});
    await expect(reportHorizon(ahead, horizon, { ...github, token: 'other' })).rejects.toThrow('HTTP 401');
  });
});
