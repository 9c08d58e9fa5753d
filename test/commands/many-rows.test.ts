import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { envOf, queryUuid } from '../support/lightdash-server.js';
import { spawnMeasured } from '../support/peak-memory.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The server of the benchmark, as a process of its own. */
async function startResultServer(rows: number): Promise<string> {
  const server = fork('bench/result-server.js', [String(rows)]);
  onTestFinished(() => {
    server.kill();
  });
  const port = await new Promise((told) => server.once('message', told));
  return `http://127.0.0.1:${port}`;
}

it.each(['ndjson', 'csv'])('streams %s in memory that the number of rows does not decide', async (output) => {
  const env = envOf({ url: await startResultServer(60_000) });
  const out = join(temporaryFolder(), 'rows');
  const argv = ['query', 'results', queryUuid, '--output', output, '--out', out];
  const { code, stdout, peakMb } = await spawnMeasured(argv, env);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `60,000 rows written to ${out}\n` });
  expect(readFileSync(out, 'utf8').match(/9007199254\d{6}/g)?.length).toBe(60_000);
  expect(peakMb).toBeLessThan(120);
});
