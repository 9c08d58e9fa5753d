import { createRequire, wrap } from 'node:module';
import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { compiledAtOnce } from '../scripts/compiled-at-once.js';

/** The program as it is written for what its `main` runs of these words. */
const written = (text: string, ...commandLines: readonly (readonly string[])[]) =>
  compiledAtOnce('/program.cjs', [{ path: '/program.cjs', text }], commandLines);

function mainOf(text: string): (argv: readonly string[]) => unknown {
  const module: { exports: { main?: (argv: readonly string[]) => unknown } } = { exports: {} };
  new Script(wrap(text)).runInThisContext()(module.exports, createRequire(import.meta.url), module);
  if (module.exports.main === undefined) throw new Error('there is no main');
  return module.exports.main;
}

const program = `"use strict";
const doubled = (n) => n * 2;
function used(n) { return inner(n); function inner(m) { return doubled(m) + 1; } }
function never(n) { return n; }
async function later(n) { return used(n); }
class Counter { add(n) { return n + 1; } }
exports.main = (argv) => argv[0] === 'never' ? never(1) : [used(1), new Counter().add(1), typeof later];
`;

it('puts parentheses around what ran, and leaves the rest as it is', async () => {
  const text = await written(program, ['x']);
  expect(text).toMatch(/^"use strict";var used=\(function\(n\)/);
  expect(text).toContain('const doubled = ((n) => n * 2);');
  expect(text).toContain('function never(n) { return n; }');
  expect(text).toContain('async function later(n) { return used(n); }');
  expect(text).toContain('class Counter { add(n) { return n + 1; } }');
});

it('changes nothing of what the program does, on other command lines too', async () => {
  const [before, after] = [mainOf(program), mainOf(await written(program, ['x']))];
  for (const argv of [['x'], ['never'], []]) expect(after(argv)).toEqual(before(argv));
});

it('keeps a declaration callable above the place where it stands', async () => {
  const hoisted = 'exports.main = () => early(); const value = early(); function early() { return 7; }';
  const text = await written(hoisted, []);
  expect(mainOf(text)([])).toBe(7);
});

it('leaves a program alone of which nothing ran but its main', async () => {
  const idle = 'function never() {}\nexports.main = () => 1;\n';
  expect(await written(idle, [])).toBe(idle.replace('() => 1', '(() => 1)'));
});

it('is refused for a command line that ends in anything but a yes or a no', async () => {
  await expect(written('exports.main = () => { process.exitCode = 3; };', ['x'])).rejects.toThrow(
    'x ended with 3',
  );
});
