import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { campaign } from './campaign.js';
import { bytesOfIndex, checkOf, documentFault, indexNames, safeInTruth } from './documents.js';

const folder = temporaryFolder();

const anyCase = fc.record({
  name: fc.constantFrom(...indexNames),
  pretty: fc.boolean(),
  fault: documentFault,
});

describe('before any fault', () => {
  it.each(indexNames)('%s is what it is called', async (name) => {
    const { code } = await runCli(checkOf('-'), { stdin: bytesOfIndex(name) });
    expect(code).toBe(name === 'safe' ? 0 : 1);
    expect(safeInTruth(bytesOfIndex(name))).toBe(name === 'safe');
  });
});

describe('a damaged index', () => {
  it('on standard input', async () => {
    await campaign(
      'index on standard input',
      anyCase,
      async ({ name, pretty, fault }) => {
        const damaged = fault.apply(bytesOfIndex(name, { pretty }));
        return {
          kind: fault.kind,
          damaged,
          outcome: await runCli(checkOf('-'), { stdin: damaged }),
          safeInTruth: safeInTruth(damaged),
        };
      },
      { numRuns: 10_000 },
    );
  });

  it('on standard input, to its newest release', async () => {
    const argv = checkOf('-').map((word) => (word === '1.4.0' ? 'latest' : word));
    await campaign(
      'index on standard input, --to latest',
      anyCase,
      async ({ name, pretty, fault }) => {
        const damaged = fault.apply(bytesOfIndex(name, { pretty }));
        return {
          kind: fault.kind,
          damaged,
          outcome: await runCli(argv, { stdin: damaged }),
          safeInTruth: safeInTruth(damaged, 'latest'),
        };
      },
      { numRuns: 4000 },
    );
  });

  it('in a file', async () => {
    const file = join(folder, 'index.json');
    await campaign(
      'index in a file',
      anyCase,
      async ({ name, pretty, fault }) => {
        const damaged = fault.apply(bytesOfIndex(name, { pretty }));
        await writeFile(file, damaged);
        const outcome = await runCli(checkOf(file));
        return { kind: fault.kind, damaged, outcome, safeInTruth: safeInTruth(damaged) };
      },
      { numRuns: 4000 },
    );
  });
});
