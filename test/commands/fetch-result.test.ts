import { expect, it } from 'vitest';
import { ndjsonFormat } from '../../src/answer/builders/rows.js';
import { fetchResult, writeRows } from '../../src/app/lightdash/fetch-result.js';
import { connectionOf } from '../../src/door/options/connection-options.js';
import { rowsQuestionOf } from '../../src/door/options/row-options.js';
import { createClient } from '../../src/gather/api/client.js';
import { contextOf } from '../support/cli.js';
import { projectUuid, queryUuid, startLightdash } from '../support/lightdash-server.js';
import { queryState } from '../support/merge-responses.js';

it.each([
  ['ten minutes where --wait is not given', undefined, 600],
  ['ten minutes where --wait has no duration', true, 600],
  ['as long as --wait says', 90_000, 90],
] as const)('waits %s', async (_, wait, seconds) => {
  const { url } = await startLightdash(queryState('executing'));
  let now = 0;
  const clock = {
    now: () => now,
    // Some requests, and not one for every second.
    sleep: async () => {
      now += 30_000;
    },
  };
  const waiting = fetchResult({
    client: createClient({ url, token: 't', project: projectUuid, clock }),
    queryUuid,
    fieldIds: [],
    wait,
    file: undefined,
    rows: rowsQuestionOf({ json: true }),
    connection: connectionOf({ timeout: 5_000 }),
    renderJson: String,
    context: contextOf().context,
  });
  await expect(waiting).rejects.toMatchObject({
    code: 'timeout',
    message: `the query ${queryUuid} is still executing after ${seconds} s`,
  });
});

it('takes no end without a result for an empty one', async () => {
  const written = writeRows({
    states: (async function* () {})(),
    fieldIds: ['a'],
    format: ndjsonFormat,
    sink: { write: async () => {} },
    progress: { show: () => {}, clear: () => {} },
    monotonicMs: () => 0,
  });
  await expect(written).rejects.toMatchObject({
    code: 'invalid-response',
    message: 'the query ended without a result',
  });
});
