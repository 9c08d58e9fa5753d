import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readFactsInFile } from '../../src/app/evidence.js';
import { readIndexAndKnownIssues } from '../../src/app/sources/read-index.js';
import { evaluateSpan } from '../../src/core/span.js';
import { parseVersion } from '../../src/core/version.js';
import { declareOptions, type OptionsOf } from '../../src/door/declare.js';
import { evidenceQuestionOf, knownIssues, sources } from '../../src/door/options/evidence-options.js';
import type { FactName } from '../../src/instance/facts/fact-names.js';
import { conditionFacts } from '../../src/instance/facts/known-facts.js';
import type { EvidenceQuestion } from '../../src/question/evidence.js';
import { noSettings } from '../../src/question/settings.js';
import { reasonsOfKind } from '../../src/words/route/reasons.js';
import { contextOf } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

/** The question of a command line, as a command asks it. */
function questionOf(argv: readonly string[], env: Record<string, string | undefined> = {}): EvidenceQuestion {
  const command = declareOptions(new Command('a-check'), { ...sources, ...knownIssues }).exitOverride();
  command.configureOutput({ writeErr: () => {} });
  command.parse(['--index', realIndexFile, ...argv], { from: 'user' });
  return evidenceQuestionOf(command.opts<OptionsOf<typeof sources & typeof knownIssues>>(), noSettings, env);
}

const worldOf = ({ env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string } = {}) =>
  contextOf({
    env,
    stdin: (async function* () {
      yield Buffer.from(stdin);
    })(),
  });

/** The ids of what is taken back of a span by a command line. */
async function takenBack(span: string, argv: readonly string[], world = worldOf()): Promise<string[]> {
  const question = questionOf(argv, world.context.env);
  const { index } = await readIndexAndKnownIssues(question, question.facts.stated, world.context);
  const [from = '', to = ''] = span.split(' -> ');
  const { reasons } = evaluateSpan(index, { from: parseVersion(from), to: parseVersion(to) });
  return reasonsOfKind(reasons, 'known-issue').map(({ id, notKnown }) => [id, ...notKnown].join(' '));
}

const aiPrompt = 'ai-prompt-table-in-core-migration';
const migration = 'migration.20260903120000_add_response_timing_to_ai_prompt';

describe('a command line', () => {
  it.each<[argv: readonly string[], ids: readonly string[]]>([
    [[], [`${aiPrompt} edition table.ai_prompt ${migration}`]],
    [['--fact', 'edition=community'], [`${aiPrompt} table.ai_prompt ${migration}`]],
    [
      ['--fact', 'edition=community', '--fact', 'table.ai_prompt=absent', '--fact', `${migration}=pending`],
      [aiPrompt],
    ],
    [['--fact', 'edition=enterprise'], []],
    [['--publisher-only'], []],
    [['--accept', aiPrompt], []],
    [['--accept', 'start-check-refuses-skips'], [`${aiPrompt} edition table.ai_prompt ${migration}`]],
  ])('%j', async (argv, ids) => expect(await takenBack('2.125.0 -> 2.127.0', argv)).toEqual(ids));

  it('that leaves known issues out says so, and reads none', async () => {
    const world = worldOf({ env: { LIGHTSPAN_KNOWN_ISSUES: join(folder, 'none.yaml') } });
    expect(await takenBack('2.125.0 -> 2.127.0', ['--publisher-only'], world)).toEqual([]);
    expect(world.said.stderr).toMatch(/^Publisher only: known issues are left out, .*\n$/);
  });

  it('says what it accepts, and accepts nothing that there is not', async () => {
    const world = worldOf();
    await takenBack('2.125.0 -> 2.127.0', ['--accept', aiPrompt], world);
    expect(world.said.stderr).toBe('');
    await expect(
      takenBack('1.121.0 -> 1.122.0', ['--accept', 'start-check-refuses-skip']),
    ).rejects.toMatchObject({
      code: 'usage',
      message:
        '--accept: there is no known issue "start-check-refuses-skip"; did you mean `start-check-refuses-skips`?',
      hint: 'lightspan known-issues list shows them.',
    });
  });

  it('adds what flags and environment name', async () => {
    const record = recordOf({ id: 'ours', affected: [{ introduced: '1.122.0', fixed: '1.122.1' }] });
    const source = (id: string) => {
      const path = join(folder, `${id}.yaml`);
      writeFileSync(path, stringify({ ...record, id }));
      return path;
    };
    const world = worldOf({ env: { LIGHTSPAN_KNOWN_ISSUES: source('of-the-environment') } });
    expect(
      await takenBack(
        '1.121.0 -> 1.122.0',
        ['--known-issues', source('a'), '--known-issues', source('b')],
        world,
      ),
    ).toEqual(['of-the-environment', 'a', 'b']);
  });

  it.each([
    ['LIGHTSPAN_KNOWN_ISSUES', [], { LIGHTSPAN_KNOWN_ISSUES: '/nowhere/none.yaml' }],
    ['--known-issues', ['--known-issues', '/nowhere/none.yaml'], {}],
  ])('does not go on without what %s names', async (_, argv, env) => {
    await expect(takenBack('1.121.0 -> 1.122.0', argv, worldOf({ env }))).rejects.toMatchObject({
      code: 'unreadable-source',
    });
  });
});

describe('facts', () => {
  const facts = (stated: Record<string, unknown>, collectedAt = '2026-09-06T18:00:00Z') =>
    JSON.stringify({
      schemaVersion: '1',
      collectedAt,
      facts: { stated: { status: 'seen', value: stated, seenAt: collectedAt, source: 'stated' } },
    });
  const value = async (name: FactName, argv: readonly string[], stdin = '') => {
    const read = await readFactsInFile(questionOf(argv).facts, worldOf({ stdin }).context);
    return read && conditionFacts(read.file.facts).get(name);
  };

  it.each<[argv: readonly string[], name: FactName, value: unknown]>([
    [[], 'edition', undefined],
    [['--facts', '-'], 'edition', 'enterprise'],
    [['--facts', '-', '--fact', 'edition=community'], 'edition', 'community'],
    [['--facts', '-', '--fact', 'postgres-major=15'], 'edition', 'enterprise'],
  ])('%j tells %s: %j', async (argv, name, expected) => {
    expect(await value(name, argv, facts({ edition: 'enterprise' }))).toBe(expected);
  });

  it.each([
    [['--fact', 'edition'], 'Write it as name=value, such as edition=community.'],
    [['--fact', 'editoin=community'], 'There is no such fact. The facts are edition, '],
    [['--fact', 'edition=free'], 'edition is community or enterprise.'],
    [['--fact', 'rows.sessions=many'], 'rows.sessions is a whole number.'],
    [['--fact', 'edition=community', '--fact', 'edition=enterprise'], 'is given twice'],
    [['--facts', 'a', '--facts', 'b'], 'is given twice'],
  ])('%j is refused', (argv, message) => {
    expect(() => questionOf(argv)).toThrow(message);
  });

  it.each([
    ['{}', 'unsupported-schema-version', 'Check that it is the right file.'],
    ['', 'invalid-facts', expect.stringContaining('psql -X -A -t prints them')],
    [facts({ editoin: 'community' }), 'invalid-facts', undefined],
  ])('a file that holds %j is refused, with what to do', async (text, code, hint) => {
    await expect(value('edition', ['--facts', '-'], text)).rejects.toMatchObject({ code, hint });
  });

  it.each([
    ['2026-09-06T18:08:42Z', ['--max-age', '1h'], 'community'],
    ['2026-09-06T18:08:41Z', ['--max-age', '1h'], 'too-old'],
    ['2026-09-06T19:13:42Z', [], 'community'],
    ['2026-09-06T19:13:43Z', [], 'invalid-facts'],
    ['2026-09-06T19:13:43Z', ['--max-age', '30d'], 'invalid-facts'],
  ])('collected at %s, with %j: %s', async (collectedAt, argv, expected) => {
    const text = facts({ edition: 'community' }, collectedAt);
    const told = await value('edition', ['--facts', '-', ...argv], text).catch(({ code }) => code);
    expect(told).toBe(expected);
  });

  it('names the file that is at fault', async () => {
    const path = join(folder, 'facts.json');
    writeFileSync(path, facts({ edition: 'free' }));
    await expect(value('edition', ['--facts', path])).rejects.toThrow(`${path}: facts.stated.value.edition`);
    await expect(value('edition', ['--facts', '-'], '[]')).rejects.toThrow('standard input: the facts are');
  });
});
