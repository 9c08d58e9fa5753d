import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { publint } from 'publint';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { environmentOfNode, nodeUnderTest } from './support/node-under-test.js';
import { realIndexFile, realIndexText } from './support/real-index.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** What a stranger gets: the packed package, installed with its dependencies into an empty folder. */
let folder: string;
let tarball: string;

beforeAll(() => {
  folder = temporaryFolder();
  // No network: what npm would fetch for the package is packed from what is installed here, and nothing beside it.
  const dependencies = npm(['ls', '--omit=dev', '--all', '--parseable'], '.').trim().split('\n').slice(1);
  const packed = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder, '.', ...dependencies], '.'),
  );
  const files: string[] = packed.map(({ filename }: { filename: string }) => filename);
  tarball = join(folder, files[0] ?? '');
  mkdirSync(join(folder, 'app'));
  npm(
    [
      'install',
      '--offline',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      ...files.map((file) => join(folder, file)),
    ],
    join(folder, 'app'),
  );
}, 60_000);

function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, {
    cwd,
    env: environmentOfNode,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
}

/** Runs a command in the folder where the package is installed. */
function runInApp(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    execFile(
      command,
      args,
      {
        cwd: join(folder, 'app'),
        env: { ...environmentOfNode, ...env },
        shell: process.platform === 'win32',
      },
      (error, stdout, stderr) => done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('the tarball', () => {
  it('holds the program, the library, the schemas and nothing else', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const tops = new Set(files.map((file) => file.split('/').slice(1, 3).join('/')));
    expect([...tops].filter((top) => !/^(dist|schemas)\//.test(top)).sort()).toEqual([
      'LICENSE',
      'README.md',
      'bin/lightspan.cjs',
      'bin/upgrade-check.cjs',
      'package.json',
    ]);
    expect(files.filter((file) => !/\.(d\.ts|js|cjs|json|md|txt)$|\/LICENSE$/.test(file))).toEqual([]);
  });

  it('holds a program of ASCII alone, for V8 holds each character of any other twice as large', () => {
    const text = readFileSync('dist/program/main.cjs', 'latin1');
    // What is no ASCII is escaped by the bundler, but in a tagged template and in a pattern.
    expect(text.match(/.{0,40}[^\0-\x7f]+/g)).toBeNull();
  });

  it('satisfies publint', async () => {
    const bytes = readFileSync(tarball);
    const { messages } = await publint({
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  it('satisfies arethetypeswrong', () => {
    const attw = resolve('node_modules/@arethetypeswrong/cli/dist/index.js');
    const report = JSON.parse(
      execFileSync(process.execPath, [attw, '--format', 'json', tarball], { encoding: 'utf8' }),
    );
    expect(report.analysis.entrypoints['.'].resolutions).toHaveProperty('bundler');
    expect(report.problems).toEqual({});
  });
});

describe('the installed program', () => {
  const index = resolve(realIndexFile);

  it.each([
    [['lightspan', '--version'], 0, packageJson.version],
    [['lightspan', 'upgrade-check', '--from', '1.121.0', '--to', '1.156.0'], 0, 'Verdict: SAFE'],
    [['upgrade-check', '--from', '1.121.0', '--to', '1.156.0'], 0, 'Verdict: SAFE'],
    [['upgrade-check', '--from', '1.111.0', '--to', '1.115.0'], 1, 'Verdict: UNSAFE'],
    [['upgrade-check', '--from', 'one', '--to', '1.115.0', '--json'], 2, '"safe":false'],
  ])('npx %j ends with %i', async (argv, code, output) => {
    const result = await runInApp('npx', ['--offline', '--no', '--', ...argv], { LIGHTSPAN_INDEX: index });
    expect(result).toMatchObject({ code, stdout: expect.stringContaining(output) });
  });

  it('goes through a proxy, for which it loads undici', async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      asked.push(request.url);
      response.end(realIndexText);
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    try {
      const url = 'http://index.invalid/release-safety-index.json';
      const result = await runInApp(
        nodeUnderTest,
        [
          join('node_modules', 'lightspan', 'bin', 'lightspan.cjs'),
          ...['upgrade-check', '--from', '1.121.0', '--to', '1.156.0'],
          ...['--index', url, '--allow-http', '--no-cache'],
        ],
        { http_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
      );
      expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('Verdict: SAFE') });
      expect(asked).toEqual([url]);
    } finally {
      proxy.close();
    }
  });
});

describe('the installed library', () => {
  const use = `
    const index = lightspan.parseReleaseSafetyIndexText(readFileSync(process.argv[2], 'utf8'));
    const { safe } = lightspan.evaluateSpan(index, { from: '1.121.0', to: '1.156.0' });
    console.log(JSON.stringify({ safe, exports: Object.keys(lightspan).sort() }));`;

  it.each([
    [
      'use.mjs',
      `import * as lightspan from 'lightspan'; import { readFileSync } from 'node:fs'; import 'lightspan/package.json' with { type: 'json' };`,
    ],
    [
      'use.cjs',
      `const lightspan = require('lightspan'); const { readFileSync } = require('node:fs'); require('lightspan/package.json');`,
    ],
  ])('%s runs', async (file, load) => {
    writeFileSync(join(folder, 'app', file), load + use);
    const { code, stdout, stderr } = await runInApp(nodeUnderTest, [file, resolve(realIndexFile)]);
    expect({ code, stderr: stderr.replace(/.*ExperimentalWarning[\s\S]*/, '') }).toEqual({
      code: 0,
      stderr: '',
    });
    expect(JSON.parse(stdout)).toEqual({
      safe: true,
      exports: Object.keys(await import('../src/index.js')).sort(),
    });
  });

  const consumer = `
    import { evaluateSpan, parseReleaseSafetyIndex, type ReasonKind, type ReleaseSafetyIndex } from 'lightspan';
    const index: ReleaseSafetyIndex = parseReleaseSafetyIndex(JSON.parse('{}'));
    const { safe, jump, reasons } = evaluateSpan(index, { from: '1.0.0', to: '1.1.0' });
    export const answer: boolean = safe;
    export const direct: boolean | 'unknown' = jump;
    export const kinds: readonly ReasonKind[] = reasons.map(({ kind }) => kind);
    // @ts-expect-error a span has two ends
    evaluateSpan(index, { from: '1.0.0' });`;

  it.each([
    ['node16', 'node16', ['consumer.mts', 'consumer.cts']],
    ['nodenext', 'nodenext', ['consumer.mts', 'consumer.cts']],
    ['bundler', 'esnext', ['consumer.ts']],
  ])('has types under moduleResolution %s with module %s', async (moduleResolution, module, files) => {
    const project = join(folder, 'app', moduleResolution);
    mkdirSync(project);
    for (const file of files) writeFileSync(join(project, file), consumer);
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          moduleResolution,
          module,
          target: 'es2023',
          lib: ['es2023'],
          // The global fetch that a client takes is typed by the platform.
          types: ['node'],
          typeRoots: [resolve('node_modules/@types')],
          strict: true,
          noEmit: true,
        },
        files,
      }),
    );
    const tsc = resolve('node_modules/typescript/bin/tsc');
    expect(await runInApp(process.execPath, [tsc, '-p', project])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
});
