import { execFileSync, spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { fetchNode } from './fetch-package.js';

/**
 * Runs the suite on every Node that is promised, and what the package does when it is installed on the oldest of all.
 * `npm run suite -- nodes 22 24` runs some, `-- 24 test/main.test.ts` some of it. The Nodes come from npm.
 */

const suites = ['20', '22', '24', '26'];

/** `engines` in package.json. The test runner itself wants a newer one, so this runs only what the tests spawn. */
const floor = '20.18.1';

const wanted = process.argv.slice(2).filter((argument) => /^[\d.]+$/.test(argument));
const files = process.argv.slice(2).filter((argument) => !wanted.includes(argument));
const results = [...suites, floor]
  .filter((version) => wanted.length === 0 || wanted.includes(version))
  .map((version) => {
    const node = fetchNode(version);
    const exact = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    print(`\n${exact}${version === floor ? ', the floor: the installed package and the commands' : ''}`);
    const started = performance.now();
    const { status } =
      version === floor
        ? vitest(process.execPath, ['test/package.test.ts', 'test/commands'], { NODE_UNDER_TEST: node })
        : vitest(node, files, {});
    return { exact, seconds: (performance.now() - started) / 1000, passed: status === 0 };
  });

print('');
for (const { exact, seconds, passed } of results) {
  print(`${exact.padEnd(10)} ${seconds.toFixed(0).padStart(5)} s  ${passed ? 'passed' : 'FAILED'}`);
}
if (results.length === 0 || results.some(({ passed }) => !passed)) process.exitCode = 1;

function print(line) {
  process.stdout.write(`${line}\n`);
}

function vitest(node, args, env) {
  const projects = ['quick', 'long', 'tools'].flatMap((name) => ['--project', name]);
  return spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  });
}
