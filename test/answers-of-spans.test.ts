import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { packageVersion } from '../src/door/context.js';
import { runCli } from './support/cli.js';
import { realIndex, realIndexFile } from './support/real-index.js';

/**
 * What three hundred spans are answered, by a digest each: those that cross no major and have no note. A change that is
 * about something else leaves them as they are, to the byte. `--update` records them anew.
 */

const releases = realIndex().entries.map(({ version }) => String(version));
const majorOf = (version: string) => Number(version.split('.')[0]);

/** In turn, a span each. */
const asked = [
  ['upgrade-check', 'text'],
  ['upgrade-plan', 'json'],
  ['upgrade-report', 'markdown'],
  ['upgrade-plan', 'text'],
  ['upgrade-check', 'json'],
  ['upgrade-report', 'html'],
  ['upgrade-plan', 'github'],
  ['upgrade-check', 'junit'],
  ['upgrade-report', 'json'],
] as const;

/** What built-in notes are about. */
const noted = ['0.3051.0', '1.238.0'];

function isQuiet(from: string, to: string): boolean {
  if (majorOf(from) !== majorOf(to)) return false;
  const at = (version: string) => releases.indexOf(version);
  return noted.every((version) => at(from) >= at(version) || at(to) < at(version));
}

/** Pairs of releases, chosen by a generator of fixed numbers. */
function* spans(count: number): Generator<readonly [from: string, to: string]> {
  let seed = 20261127;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  while (count > 0) {
    const first = next(releases.length - 1);
    const longest = Math.min([3, 30, 300, 3000][next(4)] ?? 3, releases.length - 1 - first);
    const [from = '', to = ''] = [releases[first], releases[first + 1 + next(longest)]];
    if (!isQuiet(from, to)) continue;
    count--;
    yield [from, to];
  }
}

/** Without the release of this program, and the extent of what it knows, which moves with it. */
function withoutHorizon(text: string): string {
  return text
    .replaceAll(`lightspan ${packageVersion}`, 'lightspan')
    .replaceAll(/(\d+ known issues) of releases up to \d+\.\d+\.\d+ \(as of \d{4}-\d\d-\d\d\)/g, '$1')
    .replaceAll(/"knownThrough":(?:null|\{[^{}]*\}),/g, '');
}

it('answers as it did', async () => {
  const lines: string[] = [];
  let turn = 0;
  for (const [from, to] of spans(300)) {
    const [command = '', format = ''] = asked[turn++ % asked.length] ?? [];
    const argv = [command, '--from', from, '--to', to, '--index', realIndexFile, '--offline'];
    const { code, stdout, stderr } = await runCli([...argv, '--format', format]);
    const digest = createHash('sha256')
      .update(withoutHorizon(`${stdout}\n${stderr}`))
      .digest('hex');
    lines.push(`${command} ${from} ${to} ${format}: ${code} ${digest.slice(0, 16)}`);
  }
  expect(new Set(lines.map((line) => line.split(': ')[0])).size).toBeGreaterThan(290);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('answers-of-spans.txt');
});
