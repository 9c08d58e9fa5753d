import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe } from 'vitest';
import { parseDocument } from 'yaml';
import { runCli } from '../support/cli.js';
import { evaluateNaively } from '../support/naive-evaluator.js';
import { listen } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { bytesOfIndex, documentFault } from './documents.js';

/** What an instance says of itself: the version that runs, and whether it is ready. */

const index = join(temporaryFolder(), 'index.json');

/** The answer that is under attack is what stands under its path; the others are sound. */
const answers = new Map<string, Buffer>();
const sound = (version: string) => ({
  readyz: Buffer.from('{"status":"ready"}'),
  health: Buffer.from(
    JSON.stringify({
      status: 'ok',
      results: { healthy: true, mode: 'default', version, latest: { version: '1.5.0' } },
    }),
  ),
});

const server = createServer((request, response) => {
  const [, name = '', endpoint = ''] = /^\/([^/]+)\/(?:api\/v1\/)?(\w*)$/.exec(request.url ?? '') ?? [];
  const body = answers.get(`${name}/${endpoint}`);
  response.setHeader('content-type', 'application/json');
  if (endpoint === '') response.setHeader('lightdash-version', '1.130.0');
  response.statusCode = body === undefined && endpoint !== '' ? 404 : 200;
  response.end(body);
});
let origin: string;
beforeAll(async () => {
  writeFileSync(index, bytesOfIndex('safe'));
  origin = `http://127.0.0.1:${await listen(server)}`;
});
afterAll(() => server.close());

let cases = 0;
async function ask(
  bodies: Readonly<Record<string, Buffer>>,
  argvOf: (instance: string) => readonly string[],
) {
  const name = `${cases++}`;
  for (const [endpoint, body] of Object.entries(bodies)) answers.set(`${name}/${endpoint}`, body);
  const outcome = await runCli(argvOf(`${origin}/${name}`));
  for (const endpoint of Object.keys(bodies)) answers.delete(`${name}/${endpoint}`);
  return outcome;
}

const verify = (version: string) => (instance: string) => [
  ...['upgrade-verify', '--instance', instance, '--version', version],
  ...['--window', '0s', '--json'],
];

/** What a sound answer may hold; of a damaged one nothing is certain. */
interface Answer {
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly warnings?: unknown;
  readonly results: { readonly healthy?: unknown; readonly version?: unknown };
}

/** Whether a text, read as a person would, is JSON with no key twice in any object, of which `holds` is true. */
function inTruth(bytes: Buffer, holds: (json: Answer) => boolean): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const json: Answer = JSON.parse(text);
    return parseDocument(text, { uniqueKeys: true }).errors.length === 0 && holds(json);
  } catch {
    return false;
  }
}

const isSound = ({ status, results }: Answer) => status === 'ok' && (results.healthy ?? true) === true;
const plain = (version: unknown) => String(version).replace(/^v/, '');

describe('a damaged answer of an instance', () => {
  itFailsClosed(
    'health, as the version that runs',
    // A version that was made newer than the target is one, and to go back is not certified.
    { cases: fc.record({ fault: documentFault }), numRuns: 1500, parallel: 16, exitCodes: [0, 1, 2, 3, 4] },
    async ({ fault }) => {
      const damaged = fault.apply(sound('1.1.0').health);
      const outcome = await ask({ health: damaged }, (instance) => [
        ...['upgrade-check', '--instance', instance, '--to', '1.4.0', '--index', index, '--json'],
      ]);
      const safeInTruth = inTruth(
        damaged,
        (json) =>
          isSound(json) &&
          evaluateNaively(JSON.parse(bytesOfIndex('safe').toString()), plain(json.results.version), '1.4.0')
            .safe,
      );
      return { damaged, outcome, safeInTruth };
    },
  );

  itFailsClosed(
    'readyz',
    { cases: fc.record({ fault: documentFault, warned: fc.boolean() }), numRuns: 1000, parallel: 16 },
    async ({ fault, warned }) => {
      const damaged = fault.apply(
        Buffer.from(
          warned ? '{"status":"ready","warnings":["migration_ledger_unavailable"]}' : '{"status":"ready"}',
        ),
      );
      const outcome = await ask({ readyz: damaged }, verify('1.130.0'));
      const safeInTruth = inTruth(
        damaged,
        ({ status, reason, warnings = [] }) =>
          status === 'ready' && reason === undefined && Array.isArray(warnings) && warnings.length === 0,
      );
      return { damaged, outcome, safeInTruth };
    },
  );

  itFailsClosed(
    'health, instead of readyz',
    { cases: fc.record({ fault: documentFault }), numRuns: 1000, parallel: 16 },
    async ({ fault }) => {
      const damaged = fault.apply(sound('1.128.0').health);
      const outcome = await ask({ health: damaged }, verify('1.128.0'));
      const safeInTruth = inTruth(
        damaged,
        (json) => isSound(json) && json.results.healthy === true && plain(json.results.version) === '1.128.0',
      );
      return { damaged, outcome, safeInTruth };
    },
  );
});
