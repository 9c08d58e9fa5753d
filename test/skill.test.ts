import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './support/cli.js';
import { declaredCommands } from './support/declarations.js';
import { upgradeTo, writeSituation } from './support/preflight.js';
import { closedPort, serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** SKILL.md is followed to the letter: its steps are run in their order, and what it names is there. */
const skill = readFileSync('SKILL.md', 'utf8');

/** The first command of each row of the table of steps. */
const steps = skill.split('\n').flatMap((line) => {
  const [, number, command = ''] = /^\| (\d) \| `lightspan ([^`]+)` \|/.exec(line) ?? [];
  return number === undefined ? [] : [{ number: Number(number), command }];
});

const release = '2.1.0';
let folder: string;
let values: Readonly<Record<string, string>>;
let index: readonly string[];

beforeAll(async () => {
  folder = temporaryFolder();
  await writeSituation(
    folder,
    upgradeTo([{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }]),
  );
  index = ['--index', folder];
  values = {
    from: '2.0.0',
    to: release,
    facts: join(folder, 'facts.json'),
    report: join(folder, 'report.html'),
    hops: join(folder, 'hops'),
  };
});

const filled = (command: string, more: Readonly<Record<string, string>> = {}) =>
  command
    .split(' ')
    .map((word) => word.replace(/^<(\w+)>$/, (_, name) => ({ ...values, ...more })[name] ?? word));

async function ask(command: string, ...more: readonly string[]) {
  const { code, stdout } = await runCli([...filled(command), ...more, ...index, '--json']);
  const answer: Readonly<Record<string, unknown>> = JSON.parse(stdout);
  return { code, answer };
}

const step = (number: number) => steps.find((one) => one.number === number)?.command ?? '';

describe('the skill, followed from its first step to its last', () => {
  it('has six steps', () => {
    expect(steps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('1: asks whether it rolls, and reads safe', async () => {
    const { code, answer } = await ask(step(1));
    expect({ code, safe: answer.safe }).toEqual({ code: 0, safe: true });
  });

  it('2: plans, and reads the hops, their strategies, majors and notes', async () => {
    const { code, answer } = await ask(step(2));
    expect(code).toBe(0);
    expect(answer.hops).toEqual([expect.objectContaining({ toVersion: release, strategy: 'RollingUpdate' })]);
    expect(answer).toHaveProperty('blockedBy', null);
  });

  it('3: reads decision, checks and findings of a preflight', async () => {
    const { answer } = await ask(step(3), '--disk-free', '40GiB');
    expect(answer).toMatchObject({ decision: expect.stringMatching(/^go(-with-care)?$/), safe: true });
    expect(answer.checks).toContainEqual(expect.objectContaining({ status: 'ok' }));
    expect(answer.findings).toEqual(expect.any(Array));
  });

  it('4 and 5: writes a report for the person who decides, and a script for each hop', async () => {
    const [report, hops] = [filled(step(4)), filled(step(5))];
    expect((await runCli([...report, ...index])).code).toBe(0);
    expect((await runCli([...hops, ...index])).code).toBe(0);
    expect(existsSync(values.report ?? '')).toBe(true);
    expect(existsSync(values.hops ?? '')).toBe(true);
  });

  it('6: reads verified and lastState of what is served', async () => {
    const { url } = await serve(({ url: path }, response) => {
      response.setHeader('Lightdash-Version', release);
      response.end(path === '/api/v1/readyz' ? '{"status":"ready"}' : '<html></html>');
    });
    const argv = [...filled(step(6), { url }), '--allow-http', '--interval', '1s', '--json'];
    const { code, stdout } = await runCli(argv, { sleep: async () => {} });
    expect({ code, answer: JSON.parse(stdout) }).toMatchObject({ code: 0, answer: { verified: true } });
    expect(JSON.parse(stdout)).toHaveProperty('lastState');
  });
});

describe('what the skill names beside its steps', () => {
  const besides = [...skill.matchAll(/`lightspan (upgrade-(?:rehearse|status)[^`]*)`/g)].map(
    ([, command = '']) => command,
  );

  it('is a rehearsal and a status, which end without an answer where there is nothing to look at', async () => {
    expect(besides.map((command) => command.split(' ')[0])).toEqual(['upgrade-rehearse', 'upgrade-status']);
    const env = { PGHOST: '127.0.0.1', PGPORT: String(await closedPort()), PGUSER: 'x', PGDATABASE: 'x' };
    for (const command of besides) {
      const more = { dump: join(folder, 'none.dump'), rehearsal: join(folder, 'rehearsal.json') };
      const { code, stderr } = await runCli([...filled(command, more), ...index], { env });
      // A command that is not as the skill writes it would be a wrong request.
      expect({ command, code, stderr }).toMatchObject({ code: 3 });
    }
  });

  it('is recommended, a target of steps 1 to 5', async () => {
    expect(skill).toContain('write `recommended`');
    values = { ...values, to: 'recommended' };
    const { code, answer } = await ask(step(2), '--min-age', '1s');
    values = { ...values, to: release };
    expect({ code, to: answer.toVersion }).toEqual({ code: 0, to: release });
  });
});

describe('what the skill names', () => {
  it('are options that commands have', async () => {
    const commands = await declaredCommands();
    const declared = new Set(commands.flatMap(({ command }) => command.options.map(({ long }) => long)));
    const named = new Set([...skill.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([option]) => option));
    expect(declared.size).toBeGreaterThan(50);
    expect([...named].filter((option) => option !== '--help' && !declared.has(option))).toEqual([]);
  });
});
