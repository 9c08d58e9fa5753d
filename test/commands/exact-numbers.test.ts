import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { chartUuid, envOf, sendText, startLightdash } from '../support/lightdash-server.js';
import { mergeQuery, metricQuery } from '../support/merge.js';
import { queryState, resultPage, startedMerge } from '../support/merge-responses.js';
import { propertyRuns } from '../support/property-runs.js';

/** Numbers as people and warehouses write them, none of which a double writes alike. */
const numbers = ['9007199254740993', '-12345678901234567890', '1.50', '1e3', '0.30000000000000000001', '-0'];

/** JSON of a value in which `"#<number>"` stands for the number itself. */
const jsonOf = (value: unknown) => JSON.stringify(value).replaceAll(/"#([^"]+)"/g, '$1');
const answer = (value: unknown) => sendText(jsonOf(value));
const marked = numbers.map((number) => `#${number}`);

describe('a number of a result stays as the server wrote it', () => {
  const rows = marked.map((amount) => ({ day: { nested: [amount] }, amount }));
  const page = resultPage(rows, { columns: { day: {}, amount: {} } });
  const unformatted = queryState('ready', { rows: marked.map((amount) => ({ amount })) });

  async function rowsIn(format: readonly string[], result: unknown = page) {
    const server = await startLightdash(answer(startedMerge()), answer(result));
    const stdin = JSON.stringify({ mergeQuery: mergeQuery() });
    const { code, stdout } = await runCli(['merge', 'submit', '-', '--wait', ...format], {
      env: envOf(server),
      stdin,
    });
    expect(code).toBe(0);
    return stdout;
  }

  it('in CSV, lines of JSON, one JSON array, and the rows of --json', async () => {
    const lines = numbers.map((number) => `"{""nested"":[${number}]}",${number}\r\n`);
    expect(await rowsIn(['--output', 'csv'])).toBe(`day,amount\r\n${lines.join('')}`);
    const records = numbers.map((number) => `{"day":{"nested":[${number}]},"amount":${number}}`);
    expect(await rowsIn(['--output', 'ndjson'])).toBe(`${records.join('\n')}\n`);
    expect(await rowsIn(['--output', 'json'])).toBe(`[\n${records.join(',\n')}\n]\n`);
    expect(await rowsIn(['--json'])).toContain(`"rows":[${records.join(',')}]`);
  });

  it('in a table, where the server has not formatted it', async () => {
    const table = await rowsIn([], unformatted);
    expect(table.split('\n').slice(2, -3)).toEqual(numbers);
  });
});

describe('a number of a request stays as it was written', () => {
  const mergeFile = (number: string) =>
    jsonOf({
      mergeQuery: mergeQuery({ limit: Number.NaN }),
      parameters: { one: `#${number}`, list: [`#${number}`] },
    })
      .replace('"filters":{}', `"filters":{"dimensions":{"values":[${number}]}}`)
      // No limit is below 0.
      .replace('"limit":null', `"limit":${number.replace(/^-(?=[1-9])/, '')}`);

  it.each(numbers)('%s in a merge file', async (number) => {
    const server = await startLightdash(answer(startedMerge()));
    const stdin = mergeFile(number);
    expect(await runCli(['merge', 'submit', '-'], { env: envOf(server), stdin })).toMatchObject({ code: 0 });
    expect(server.received[0]?.body).toBe(`${stdin.slice(0, -1)},"context":"cli"}`);
  });

  it.each([
    ['0x1FFFFFFFFFFFFFFFFF', '590295810358705651711'],
    ['+9007199254740993', '9007199254740993'],
    ['0o777777777777777777777777', '4722366482869645213695'],
    ['.12345678901234567890', '0.12345678901234567890'],
    ['-.50', '-0.50'],
    ['1_0', '"1_0"'],
    ['12.', '12'],
    ['007', '7'],
    ['00012345678901234567890', '12345678901234567890'],
    ['1.e3', '1e3'],
    ['"1.50"', '"1.50"'],
  ])('%s of YAML is %s', async (yaml, json) => {
    const server = await startLightdash(answer(startedMerge()));
    const stdin = `mergeQuery: ${JSON.stringify(mergeQuery())}\nparameters: { n: ${yaml} }\n`;
    expect(await runCli(['merge', 'submit', '-'], { env: envOf(server), stdin })).toMatchObject({ code: 0 });
    expect(server.received[0]?.body).toContain(`"parameters":{"n":${json}}`);
  });

  it('in any place of a query that is passed through', async () => {
    const server = await startLightdash({ status: 'ok', results: { query: 'SELECT 1' } });
    const stdin = `{"exploreName":"orders","b":${numbers[0]},"a":1.50,"filters":{"c":[-0.0,1e400]}}`;
    expect(await runCli(['query', 'compile', '-'], { env: envOf(server), stdin })).toMatchObject({ code: 0 });
    expect(server.received[0]?.body).toBe(stdin);
  });
});

describe('chart get | query compile', () => {
  const chart = (number: string) => ({
    status: 'ok',
    results: { metricQuery: { ...metricQuery(), limit: `#${number}`, filters: { values: [`#${number}`] } } },
  });

  it('keeps every number from the one to the other', async () => {
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^[1-9][0-9]{0,30}$/),
        fc.constantFrom('', '.0', '.10', 'e3'),
      )
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(number, async (number) => {
        const [got, compiled] = [chart(number), { status: 'ok', results: { query: 'SELECT 1' } }];
        const server = await startLightdash(answer(got), compiled);
        const flags = ['chart', 'get', chartUuid, '--metric-query', '--json'];
        const { stdout } = await runCli(flags, { env: envOf(server) });
        expect(stdout).toBe(`${jsonOf(got.results.metricQuery)}\n`);
        await runCli(['query', 'compile', '-'], { env: envOf(server), stdin: stdout });
        expect(`${server.received[1]?.body}\n`).toBe(stdout);
      }),
      { numRuns: propertyRuns(20) },
    );
  });

  it('shows the number to a person, too', async () => {
    const server = await startLightdash(answer(chart('9007199254740993')));
    const { stdout } = await runCli(['chart', 'get', chartUuid], { env: envOf(server) });
    expect(stdout).toContain('Limit: 9007199254740993\n');
  });
});

it('a used parameter is shown as the server wrote it', async () => {
  const server = await startLightdash(answer(startedMerge({ usedParametersValues: { n: marked[0] } })));
  const stdin = JSON.stringify({ mergeQuery: mergeQuery() });
  const text = await runCli(['merge', 'submit', '-'], { env: envOf(server), stdin });
  expect(text.stdout).toContain(`Parameters: n = ${numbers[0]}\n`);
  const json = await runCli(['merge', 'submit', '-', '--json'], { env: envOf(server), stdin });
  expect(json.stdout).toContain(`"usedParametersValues":{"n":${numbers[0]}}`);
});
