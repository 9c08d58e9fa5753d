import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { fetchNode } from '../scripts/fetch-package.js';
import { installPacked } from './installed.js';

/**
 * What `npm run bench` prints; `bench/README.md` says how to read it. With `--save` it becomes `bench/RESULTS.md`.
 * `npm run bench -- 24` runs some of the Nodes.
 */

/** The LTS first: of it, all is measured; of the others, what is in its first table. */
const nodes = ['24', '22', '26'];

const wanted = process.argv.slice(2).filter((argument) => argument !== '--save');
const chosen = nodes.filter((version) => wanted.length === 0 || wanted.includes(version));
const machine = `${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;

const installed = installPacked();
const tables = chosen.map((version) => {
  const node = fetchNode(version);
  const { stdout: exact } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const name = `Node ${exact.trim()}`;
  process.stderr.write(`\n${name}\n`);
  const { status, stdout } = spawnSync(
    node,
    [
      fileURLToPath(new URL('measure.js', import.meta.url)),
      installed,
      ...(version === nodes[0] ? [] : ['--starts']),
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) throw new Error(`measuring on ${name} ended with ${status}`);
  return { name, rows: JSON.parse(stdout) };
});

if (process.argv.includes('--save')) {
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    new URL('RESULTS.md', import.meta.url),
    [
      '# Results of the last run',
      '',
      `The packed package, installed. ${machine}. ${date}, \`npm run bench -- --save\`.`,
      ...tables.flatMap(({ name, rows }) => [
        '',
        `## ${name}`,
        '',
        '| figure | measured | target |',
        '| --- | --- | --- |',
        ...rows.map((cells) => `| ${cells.map((cell) => cell.trim()).join(' | ')} |`),
      ]),
      '',
    ].join('\n'),
  );
}
