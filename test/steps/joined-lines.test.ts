import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { composeFunctions } from '../../src/steps/compose.js';
import { databaseFunctions } from '../../src/steps/database.js';
import { sharedFunctions } from '../../src/steps/functions.js';
import { helmFunctions } from '../../src/steps/helm.js';
import { joinedLines } from '../../src/steps/joined-lines.js';

/** What bash makes of it, in its own form. */
function readByBash(text: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `${text}\ndeclare -f`], { encoding: 'utf8' });
  expect({ status, stderr }, text).toEqual({ status: 0, stderr: '' });
  return stdout.replaceAll(/\\\n\s*/g, '');
}

const all = {
  ...sharedFunctions,
  ...composeFunctions,
  ...helmFunctions,
  ...databaseFunctions({ kind: 'unknown' }),
};

describe('the lines of a block', () => {
  it.each(Object.entries(all))('%s is the same in fewer lines', (_, text) => {
    const joined = joinedLines(text);
    expect(readByBash(joined)).toBe(readByBash(text));
    expect(joined.split('\n').length).toBeLessThanOrEqual(text.split('\n').length);
  });

  it.each([
    ['if a; then\n  b\nelse\n  c\nfi', 'if a; then b; else c; fi'],
    ['case $a in\n  x)\n    b ;;\n  *) c ;;\nesac', 'case $a in x) b ;; *) c ;; esac'],
    ["a 'b\n  c' \\\n  d\ne", "a 'b\n  c' d; e"],
    ['a |\n  b ||\n  c\nd', 'a | b || c; d'],
  ])('%j', (text, expected) => {
    expect(joinedLines(text)).toBe(expected);
  });
});
