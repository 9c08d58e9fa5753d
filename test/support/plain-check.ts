import { readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';
import type { checkPlainly, readPlainOptions } from '../../src/launch/plain.js';
import { type CliWorld, contextOf, type Outcome, testNow } from './cli.js';

interface PlainProgram {
  readonly checkPlainly: typeof checkPlainly;
  readonly readPlainOptions: typeof readPlainOptions;
}

/** A test may change the working folder. */
const program = resolve('dist/program');

/** Compiled once: that takes ten times as long as a check. */
const compiled = new Map<string, Script>();

/** The built plain.cjs as a process has it: nothing of an earlier check is in it. */
export function plainProgram(): PlainProgram {
  const file = join(program, 'plain.cjs');
  const script = compiled.get(file) ?? new Script(wrap(readFileSync(file, 'utf8')), { filename: file });
  compiled.set(file, script);
  const module = { exports: {} as PlainProgram };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
}

/** What plain.cjs answers in this process; undefined where it leaves the check to the whole program. */
export async function runPlain(
  argv: readonly string[],
  { env = {}, now = testNow }: Pick<CliWorld, 'env' | 'now'> = {},
): Promise<Outcome | undefined> {
  const { context, said } = contextOf({ env, now: () => now });
  const answer = await plainProgram().checkPlainly(argv, context);
  if (answer === undefined) {
    if (said.stdout + said.stderr !== '') throw new Error('it has written before it left');
    return undefined;
  }
  for (const { to, text } of answer.written) to.write(text);
  return { code: answer.exitCode, ...said };
}
