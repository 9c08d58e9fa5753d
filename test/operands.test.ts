import { Option } from 'commander';
import { expect, it } from 'vitest';
import { withOperands } from '../src/door/operands.js';
import { runCli } from './support/cli.js';
import { realIndexFile } from './support/real-index.js';

const options = [
  '--index <source>',
  '--json',
  '--format <format>',
  '-o, --out <file>',
  '--fact <fact>',
  '--database <env>',
  '--to <version>',
  '--page [value]',
].map((flags) => new Option(flags));

it.each([
  ['upgrade-check 1.121.0 1.156.0', 'upgrade-check --from 1.121.0 --to 1.156.0'],
  ['upgrade-plan 1.121.0', 'upgrade-plan --from 1.121.0'],
  ['upgrade-report 1.121.0 v1.156.0 --json', 'upgrade-report --from 1.121.0 --to v1.156.0 --json'],
  ['upgrade-check 1.121.0 latest --index x.json', 'upgrade-check --from 1.121.0 --to latest --index x.json'],
  ['upgrade-check values.yaml', 'upgrade-check --from-file values.yaml'],
  ['upgrade-check a/1.2/values.yaml#image.tag', 'upgrade-check --from-file a/1.2/values.yaml#image.tag'],
  [
    'upgrade-preflight 1.121.0 1.156.0 --database env',
    'upgrade-preflight --from 1.121.0 --to 1.156.0 --database env',
  ],
  ['upgrade-bump values.yaml --to latest', 'upgrade-bump --file values.yaml --to latest'],
  // Behind and between options, of which some take the word that follows.
  ['upgrade-check --json 1.121.0', 'upgrade-check --from 1.121.0 --json'],
  ['upgrade-check --index x 1.121.0 1.156.0', 'upgrade-check --from 1.121.0 --to 1.156.0 --index x'],
  ['upgrade-plan 1.121.0 --index x 1.156.0', 'upgrade-plan --from 1.121.0 --to 1.156.0 --index x'],
  [
    'upgrade-check --index=x 1.121.0 --json 1.156.0',
    'upgrade-check --from 1.121.0 --to 1.156.0 --index=x --json',
  ],
  [
    'upgrade-report 1.121.0 --format text 1.156.0 -o r',
    'upgrade-report --from 1.121.0 --to 1.156.0 --format text -o r',
  ],
  [
    'upgrade-preflight --fact 1.2.3 1.121.0 latest',
    'upgrade-preflight --from 1.121.0 --to latest --fact 1.2.3',
  ],
  ['upgrade-bump --index x values.yaml', 'upgrade-bump --file values.yaml --index x'],
  ['upgrade-check --index --json 1.121.0', 'upgrade-check --from 1.121.0 --index --json'],
  ['upgrade-check --page 1.121.0 1.156.0', 'upgrade-check --from 1.156.0 --page 1.121.0'],
  ['upgrade-check --page --json 1.156.0', 'upgrade-check --from 1.156.0 --page --json'],
  // Nobody said what these are: they are refused.
  ['upgrade-check --index x 1.121.0 1.122.0 1.156.0', 'upgrade-check --index x 1.121.0 1.122.0 1.156.0'],
  ['upgrade-check --index x -- 1.121.0', 'upgrade-check --index x -- 1.121.0'],
  ['upgrade-check values.yaml 1.156.0', 'upgrade-check values.yaml 1.156.0'],
  ['upgrade-check 1.121.0 1.122.0 1.156.0', 'upgrade-check 1.121.0 1.122.0 1.156.0'],
  ['pin-check values.yaml', 'pin-check values.yaml'],
  ['upgrade-bump 1.121.0', 'upgrade-bump 1.121.0'],
  ['upgrade-bump values.yaml latest', 'upgrade-bump values.yaml latest'],
  ['toString 1.121.0', 'toString 1.121.0'],
])('"%s" is "%s"', (line, read) => {
  expect(withOperands(line.split(' '), options)).toEqual(read.split(' '));
});

const index = ['--index', realIndexFile];

it.each([
  [
    ['check', '1.121.0', '1.125.0'],
    ['upgrade-check', '--from', '1.121.0', '--to', '1.125.0'],
  ],
  [
    ['check', '1.121.0', '1.156.0', '--json'],
    ['check', '--from', '1.121.0', '--to', '1.156.0', '--json'],
  ],
  [
    ['plan', '1.98.0', '2.134.2'],
    ['plan', '--from', '1.98.0', '--to', '2.134.2'],
  ],
  [
    ['report', '1.98.0', 'latest', '--offline'],
    ['report', '--from', '1.98.0', '--to', 'latest', '--offline'],
  ],
  [
    ['check', 'fixtures/values.yaml'],
    ['check', '--from-file', 'fixtures/values.yaml'],
  ],
])('%j answers as %j', async (short, long) => {
  const [a, b] = [await runCli([...short, ...index]), await runCli([...long, ...index])];
  expect(a.stdout).toBe(b.stdout);
  expect({ code: a.code, stderr: a.stderr }).toEqual({ code: b.code, stderr: b.stderr });
  expect(a.stdout).not.toBe('');
  const ahead = await runCli([...short.slice(0, 1), ...index, ...short.slice(1)]);
  expect(ahead).toMatchObject({ code: a.code, stdout: expect.stringContaining(a.stdout.slice(0, 80)) });
});

it.each([
  [
    ['check', '1.121.0', '1.122.0', '1.156.0'],
    'expected two versions (the running one and the target) or one file, got 3 words',
  ],
  [['bump', 'values.yaml', 'other.yaml'], 'expected one file, got 2 words'],
  [['check', '1.x', '1.156.0'], 'too many arguments'],
  [['check', '1.121.0', '--from', '1.122.0'], '--from'],
  [['check', '1.121.0', 'latest-rolling'], 'lightspan plan --to latest-rolling'],
])('%j is a wrong request', async (argv, said) => {
  const { code, stderr } = await runCli([...argv, ...index]);
  expect(code).toBe(2);
  expect(stderr).toContain(said);
});
