import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../support/cli.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import { indexOf } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

/** Of so many releases that no pipe and no socket holds the answer. */
const releases = Array.from({ length: 40_000 }, (_, i) => ({ version: `1.${i}.0` }));
const index = join(folder, 'index.json');
writeFileSync(index, JSON.stringify(indexOf(...releases)));
const check = ['upgrade-check', '--from', '1.0.0', '--to', '1.39999.0', '--verbose', '--index', index];
const longAnswer = /^Release safety check: [\s\S]{400000,}\nNext: .*\n$/;

const start = (script: readonly string[], stdout: 'pipe' | number): ChildProcess =>
  spawn(nodeUnderTest, [...script, ...check], { stdio: ['ignore', stdout, 'ignore'], env: {} });
const ended = (child: ChildProcess) => new Promise((done) => child.on('close', done));
const lightspan = ['bin/lightspan.cjs'];

async function textOf(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) text += chunk;
  return text;
}

it('nowhere, without the modules of a terminal', () => {
  const loaded = join(folder, 'loaded.cjs');
  writeFileSync(
    loaded,
    "process.on('exit', () => console.error(process.moduleLoadList.filter((name) => /NativeModule (tty|net|stream)$/.test(name))))",
  );
  const { status, stderr } = spawnSync(nodeUnderTest, ['--require', loaded, ...lightspan, '--version'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {},
  });
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '[]\n' });
});

describe('standard output, long and whole', () => {
  it('into a file, and into what takes a part of each write', async () => {
    const whole = join(folder, 'answer');
    const one = openSync(whole, 'w');
    expect(await ended(start(lightspan, one))).toBe(0);
    closeSync(one);
    expect(readFileSync(whole, 'utf8')).toMatch(longAnswer);

    const parts = join(folder, 'parts.cjs');
    writeFileSync(
      parts,
      `const fs = require('node:fs');
      const { writeSync } = fs;
      fs.writeSync = (fd, bytes, at = 0) => writeSync(fd, bytes, at, Math.min(100_003, bytes.length - at));`,
    );
    const path = join(folder, 'answer in parts');
    const file = openSync(path, 'w');
    expect(await ended(start(['--require', parts, ...lightspan], file))).toBe(0);
    closeSync(file);
    expect(readFileSync(path, 'utf8')).toBe(readFileSync(whole, 'utf8'));
  });

  it.each([
    ['that lets us wait', lightspan],
    [
      'that does not',
      [
        '-e',
        'process.stdout._handle.setBlocking(false); require("./dist/program/main.cjs").main(process.argv.slice(1))',
        '--',
      ],
    ],
  ])('into a pipe %s, whose reader is late', async (_, script) => {
    const child = start(script, 'pipe');
    const end = ended(child);
    await later(500);
    expect(child.exitCode).toBeNull();
    expect(await textOf(child)).toMatch(longAnswer);
    expect(await end).toBe(0);
  });

  it.skipIf(!existsSync('/dev/full'))('onto a disk that is full: exit 3, and why', () => {
    const file = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(nodeUnderTest, [...lightspan, ...check], {
      stdio: ['ignore', file, 'pipe'],
      env: {},
    });
    closeSync(file);
    expect(status).toBe(3);
    expect(String(stderr)).toMatch(/^lightspan: cannot write standard output: no space is left\n$/m);
  });

  it('into a pipe that is closed: exit 3, and nothing else happens', async () => {
    const child = spawn(nodeUnderTest, [...lightspan, ...check], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {},
    });
    child.stdout.destroy();
    const { code, stderr } = await outcomeOf(child);
    expect(code).toBe(3);
    expect(stderr).not.toMatch(/\n\s+at |EPIPE/);
  });
});
