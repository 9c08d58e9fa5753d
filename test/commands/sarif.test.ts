import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { renderSarifFailure } from '../../src/answer/formats/sarif.js';
import { runCli } from '../support/cli.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The published schema, of draft 4: what it has of that is one word, which draft 7 calls `$id`. */
const schema = readFileSync(
  'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  'utf8',
).replaceAll('json-schema.org/draft-04', 'json-schema.org/draft-07');
const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile({
  ...JSON.parse(schema),
  id: undefined,
});

interface Log {
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly rules: readonly {
          readonly id: string;
          readonly fullDescription: { readonly text: string };
        }[];
      };
    };
    readonly invocations: readonly {
      readonly executionSuccessful: boolean;
      readonly exitCode: number;
      readonly toolExecutionNotifications: readonly object[];
    }[];
    readonly results: readonly {
      readonly ruleId: string;
      readonly level: string;
      readonly locations?: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number };
        };
      }[];
    }[];
  }[];
}

/** What a command writes for code scanning: valid, with a rule for each result, and an error unless it is a yes. */
async function scan(...argv: readonly string[]) {
  const { code, stdout } = await runCli([...argv, '--format', 'sarif']);
  const log: Log = JSON.parse(stdout);
  expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true);
  const [run] = log.runs;
  if (run === undefined) throw new Error('no run');
  const ids = run.tool.driver.rules.map(({ id }) => id);
  expect([...new Set(run.results.map(({ ruleId }) => ruleId))]).toEqual(ids);
  expect(run.results.some(({ level }) => level === 'error')).toBe(code !== 0);
  expect(run.invocations).toMatchObject([{ exitCode: code }]);
  // GitHub refuses a file without these (rules GH1xxx and GH2012 of the published multitool).
  for (const { fullDescription } of run.tool.driver.rules) expect(fullDescription.text).toMatch(/\S/);
  for (const { locations = [] } of run.results) {
    expect(locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: expect.stringMatching(/\S/) },
          region: { startLine: expect.any(Number) },
        },
      },
    ]);
  }
  return { code, ...run };
}

const found = ({ results }: Awaited<ReturnType<typeof scan>>) =>
  results.map(({ level, ruleId }) => `${level} ${ruleId}`);

describe('pin-check --format sarif', () => {
  const pins = (before: string, after: string, ...more: readonly string[]) => {
    const folder = temporaryFolder();
    const write = (name: string, tag: string) => {
      writeFileSync(
        join(folder, name),
        `# the chart\nimage:\n  repository: lightdash/lightdash\n  tag: ${tag}\n`,
      );
      return join(folder, name);
    };
    const sides = ['--before', write('before.yaml', before), '--after', write('values.yaml', after)];
    return scan('pin-check', ...sides, '--index', realIndexFile, ...more);
  };

  it.each([
    ['1.121.0', '1.123.0', 0, []],
    ['1.121.0', '1.160.0', 1, ['error recreate']],
    ['1.2.0', '1.5.0', 1, ['error not-proven']],
    ['1.156.0', '1.121.0', 1, ['error downgrade']],
    ['1.121.0', 'latest', 1, ['error unreadable']],
  ])('%s to %s is exit %i, %j', async (before, after, code, marks) => {
    const run = await pins(before, after);
    expect(run.code).toBe(code);
    expect(found(run)).toEqual(marks);
  });

  it('shows it at the line of the pin', async () => {
    const { results } = await pins('1.121.0', '1.160.0');
    expect(results).toMatchObject([
      {
        message: { text: expect.stringContaining('Pin 1.156.0') },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: expect.stringMatching(/values\.yaml$/) },
              region: { startLine: 4 },
            },
          },
        ],
      },
    ]);
  });

  it('says which major is crossed, which takes no yes away', async () => {
    const run = await pins('1.262.1', '2.0.0');
    const { toolExecutionNotifications: told } = run.invocations[0] ?? {};
    expect(told).toContainEqual({
      level: 'note',
      message: { text: expect.stringMatching(/^Crosses 2\.0\.0, a major/) },
    });
  });

  it('what is accepted is no result', async () => {
    expect(found(await pins('1.121.0', '1.160.0', '--accept', 'recreate'))).toEqual([]);
  });

  it('no answer is an error', async () => {
    const run = await pins('1.121.0', '1.123.0', '--max-age', '1h', '--known-issues', 'none.yaml');
    expect(run.code).toBe(3);
    expect(run.invocations).toMatchObject([{ executionSuccessful: false }]);
    // First what is wrong, then what to do.
    const failure = {
      code: 'usage',
      message: 'what is wrong',
      hint: 'what to do',
      status: undefined,
    } as never;
    const [log] = JSON.parse(renderSarifFailure(failure, 2)).runs;
    expect(log.results[0].message.text).toBe('what is wrong\nwhat to do');
    expect(log.tool.driver.rules[0].fullDescription.text).toBe('There is no answer. what to do');
  });
});

it('upgrade-preflight has none: what it finds has no place in a file, which GitHub asks for', async () => {
  const { code, stderr } = await runCli(['upgrade-preflight', '--from', '1.121.0', '--format', 'sarif']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are text, json, github')]);
});
