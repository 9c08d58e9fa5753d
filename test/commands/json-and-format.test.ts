import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { declaredCommands } from '../support/declarations.js';
import { realIndexFile } from '../support/real-index.js';

/** Every command that answers takes `--json` and `--format`; two of them write what is no answer. */

const noAnswers: Readonly<Record<string, string>> = {
  completion: 'a script for a shell',
  'index datasource': 'a feed for Renovate, which is JSON by its own schema',
};

const answering = (await declaredCommands()).filter(({ name }) => !(name in noAnswers));

const uuid = '3675b69e-8324-4110-bdca-059031aa8da3';

describe.each(answering)('$name', ({ name, command }) => {
  const operands = command.registeredArguments
    .filter(({ required }) => required)
    .map((operand) => (operand.name() === 'version' ? '1.121.0' : uuid));

  it('takes --json and --format, which has text and json at least', () => {
    const [json, format] = ['--json', '--format'].map((flag) =>
      command.options.find(({ long }) => long === flag),
    );
    expect(json).toBeDefined();
    expect(format?.argChoices).toEqual(expect.arrayContaining(['text', 'json']));
  });

  it('refuses two formats', async () => {
    const two = ['--json', '--format', 'text'];
    const { code, stdout } = await runCli([...name.split(' '), ...operands, ...two]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'usage', message: '--json and --format text are two formats' },
    });
  });
});

it.each<[argv: string]>([
  ['explain required-stop'],
  [`index status --index ${realIndexFile}`],
  [`index verify --index ${realIndexFile}`],
  ['known-issues list'],
  ['merge validate fixtures/merge/orders-and-visits.yaml'],
  [`upgrade-check --from 1.121.0 --to 1.122.0 --index ${realIndexFile}`],
  ['settings --no-settings'],
])('%s: --format json is --json, and --format text is the default', async (argv) => {
  const world = { now: new Date('2026-09-07T00:00:00Z') };
  const [json, byFormat, text, byDefault] = await Promise.all(
    ['--json', '--format json', '--format text', ''].map((more) =>
      runCli(`${argv} ${more}`.trim().split(' '), world),
    ),
  );
  expect(JSON.parse(json?.stdout ?? '')).toEqual(JSON.parse(byFormat?.stdout ?? ''));
  expect(text).toEqual(byDefault);
  expect(text?.stdout).not.toBe(json?.stdout);
});
