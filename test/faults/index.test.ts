import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { runPlain } from '../support/plain-check.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { bytesOfIndex, checkOf, documentFault, indexNames, safeInTruth } from './documents.js';

const file = join(temporaryFolder(), 'index.json');

const cases = fc.record({ name: fc.constantFrom(...indexNames), pretty: fc.boolean(), fault: documentFault });

it.each(indexNames)('before any fault the index %s is what it is called', async (name) => {
  const { code } = await runCli(checkOf('-'), { stdin: bytesOfIndex(name) });
  expect(code).toBe(name === 'safe' ? 0 : 1);
  expect(safeInTruth(bytesOfIndex(name))).toBe(name === 'safe');
});

describe('a damaged index', () => {
  for (const [input, source, to, numRuns] of [
    ['index on standard input', '-', '1.4.0', 10_000],
    ['index on standard input, --to latest', '-', 'latest', 4000],
    ['index in a file', file, '1.4.0', 4000],
  ] as const) {
    const argv = checkOf(source).map((word) => (word === '1.4.0' ? to : word));
    itFailsClosed(input, { cases, numRuns }, async ({ name, pretty, fault }) => {
      const damaged = fault.apply(bytesOfIndex(name, { pretty }));
      if (source === file) await writeFile(file, damaged);
      // What plain.cjs answers is the answer; the rest it leaves to the whole program.
      const plain = source === file ? await runPlain(argv) : undefined;
      const outcome = plain ?? (await runCli(argv, { stdin: damaged }));
      return { damaged, outcome, safeInTruth: safeInTruth(damaged, to) };
    });
  }
});
