import { existsSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { factKeysOf } from '../../src/instance/facts/needs.js';
import { runCli } from '../support/cli.js';
import { upgradeTo, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { type Fault, hidesLines } from './mutations.js';

// biome-ignore lint/suspicious/noExplicitAny: it reads whatever stands there.
export type Anything = any;

export const folder = temporaryFolder();
const file = join(folder, 'damaged.yaml');
const factsOut = join(folder, 'out.json');
const ofDatabase = join(folder, 'database.json');
beforeAll(async () => {
  await writeSituation(folder, upgradeTo([]));
  const file = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'));
  for (const key of factKeysOf('deployment')) delete file.facts[key];
  await writeFile(ofDatabase, JSON.stringify(file));
});

/** How a file of a deployment is read. */
export interface Reading {
  readonly optionsOf: (file: string) => readonly string[];
  /** What decides, as a person would read it from the file itself. */
  readonly naively: (bytes: Buffer) => unknown;
  /** The same of the facts that were made of it. */
  readonly ofFacts: (facts: Anything) => unknown;
  /** What no answer and no fact may have of it. */
  readonly secret: string;
}

/** Damages a file that nothing keeps from an upgrade: it is refused, or read as it stands. */
export function itReadsAsItStands(
  input: string,
  text: string,
  limits: { readonly fault: fc.Arbitrary<Fault<Buffer>>; readonly numRuns: number },
  { optionsOf, naively, ofFacts, secret }: Reading,
): void {
  const judge = async (bytes: Buffer) => {
    rmSync(factsOut, { force: true });
    await writeFile(file, bytes);
    return await runCli([
      ...['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', folder, '--json'],
      ...['--facts', ofDatabase, ...optionsOf(file), '--only', 'deployment', '--facts-out', factsOut],
    ]);
  };
  /** Whether the facts that were judged are those that the file tells. */
  const isReadAsItStands = (bytes: Buffer): boolean => {
    if (!existsSync(factsOut)) return false;
    try {
      expect(ofFacts(JSON.parse(readFileSync(factsOut, 'utf8')).facts)).toEqual(naively(bytes));
      return true;
    } catch {
      return false;
    }
  };

  it(`${input}: a go before any fault, of what was asked`, async () => {
    const bytes = Buffer.from(text);
    const { code, stdout } = await judge(bytes);
    expect(code, stdout).toBe(0);
    expect(isReadAsItStands(bytes)).toBe(true);
  });

  const { fault: faults, numRuns } = limits;
  itFailsClosed(
    input,
    { cases: fc.record({ fault: faults }), numRuns, exitCodes: [0, 1, 2, 3, 4] },
    async ({ fault }) => {
      const damaged = fault.apply(Buffer.from(text));
      const outcome = await judge(damaged);
      const facts = existsSync(factsOut) ? readFileSync(factsOut, 'utf8') : '';
      expect(`${outcome.stdout}${outcome.stderr}${facts}`, damaged.toString()).not.toContain(secret);
      return { damaged, outcome, safeInTruth: !hidesLines(damaged) && isReadAsItStands(damaged) };
    },
  );
}
