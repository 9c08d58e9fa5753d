import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { publint } from 'publint';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { manPages } from '../scripts/docs/man-page.js';
import { declaredCommands } from './support/declarations.js';
import { isWritable } from './support/is-writable.js';
import { environmentOfNode, nodeUnderTest } from './support/node-under-test.js';
import { realIndexFile, realIndexText } from './support/real-index.js';
import { serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** What a stranger gets: the packed package, installed into an empty folder. There is no network: it needs nothing else. */
let folder: string;
let tarball: string;

beforeAll(() => {
  folder = temporaryFolder();
  // A checkout that is only read has what it was built with.
  if (isWritable('dist')) execFileSync(process.execPath, ['scripts/build.js']);
  const [{ filename }] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], '.'),
  );
  tarball = join(folder, filename);
  mkdirSync(join(folder, 'app'));
  npm(['install', '--offline', '--no-audit', '--no-fund', tarball], join(folder, 'app'));
});

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

const inDist = (name: string) => `dist/${name}`;

describe('the tarball', () => {
  it('holds the program, the library, the schemas, the jobs for a backup and nothing else', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const names = files.map((file) =>
      file.replace(/^package\//, '').replace(/-[0-9A-Z]{8}\.js$/, '-<hash>.js'),
    );
    expect(names.sort()).toEqual([
      ...[
        'LICENSE',
        'README.md',
        'SKILL.md',
        'bin/lightdash-upgrade-check.cjs',
        'bin/lightspan.cjs',
        'bin/upgrade-check.cjs',
      ],
      ...['THIRD-PARTY-LICENSES.txt', 'cjs/client.d.ts', 'cjs/client.js'].map(inDist),
      ...['cjs/index.d.ts', 'cjs/index.js', 'cjs/merge.d.ts', 'cjs/merge.js', 'cjs/package.json'].map(inDist),
      ...Array(3).fill('cjs/shared-<hash>.js').map(inDist),
      ...['esm/client.d.ts', 'esm/client.js', 'esm/index.d.ts', 'esm/index.js'].map(inDist),
      ...['esm/merge.d.ts', 'esm/merge.js'].map(inDist),
      ...packageJson.man.map((file) => file.replace('./', '')).sort(),
      ...[
        'chalk',
        'dockerfile-ast',
        'help',
        'main',
        'pg',
        'plain',
        're2js',
        'start',
        'undici',
        'version',
        'yaml',
      ].map((part) => inDist(`program/${part}.cjs`)),
      'dist/sbom.cdx.json',
      ...['examples/argo-cd/presync-backup.yaml', 'examples/helm/backup.yaml.tpl', 'package.json'],
      ...readdirSync('schemas').map((file) => `schemas/${file}`),
    ]);
  });

  it('has the pages of man of what it declares', async () => {
    const folderOfPages = join(folder, 'app', 'node_modules', 'lightspan', 'dist', 'man');
    const installed = readdirSync(folderOfPages).map((name): [string, string] => [
      name,
      readFileSync(join(folderOfPages, name), 'utf8'),
    ]);
    const pages = [...manPages(await declaredCommands())];
    expect(installed.sort()).toEqual(pages.sort());
  });

  it('is installed alone, in at most 5.1 MB', () => {
    const modules = join(folder, 'app', 'node_modules');
    const files = readdirSync(modules, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /^[^.][^/\\]*$/.test(file))).toEqual(['lightspan']);
    const bytes = files.reduce((sum, file) => sum + statSync(join(modules, file)).size, 0);
    expect(bytes).toBeLessThan(5.1e6);
  });

  it('says of everything that the library exports what it is', () => {
    const types = join(folder, 'app', 'node_modules', 'lightspan', 'dist', 'cjs', 'index.d.ts');
    const lines = readFileSync(types, 'utf8').split('\n');
    const exported = lines.flatMap((line, i) => {
      const name = /^export (?:declare )?(?:function|interface|type|class|const) (\w+)/.exec(line)?.[1];
      return name === undefined ? [] : [{ name, said: lines[i - 1]?.endsWith('*/') }];
    });
    expect(exported.length).toBeGreaterThan(100);
    expect(exported.filter(({ said }) => !said).map(({ name }) => name)).toEqual([]);
  });

  it('imports Node and its own files alone, in code and in types', () => {
    const dist = join(folder, 'app', 'node_modules', 'lightspan', 'dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    const code = files.filter((file) => /\.(c?js|d\.ts)$/.test(file));
    expect(code.length).toBeGreaterThan(8);
    const imported = code.flatMap((file) =>
      [
        ...readFileSync(join(dist, file), 'utf8').matchAll(
          /(?:^|[;}])(?:import|export)\b[^'"`;]*?from ?['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)|\brequire\(['"]([^'"]+)['"]\)/gm,
        ),
      ].map(([, from, lazy, required]) => ({ file, name: from ?? lazy ?? required ?? '' })),
    );
    expect(imported.filter(({ name }) => name === '../program/undici.cjs')).toEqual([
      { file: expect.stringMatching(/^cjs.shared-/), name: '../program/undici.cjs' },
    ]);
    const foreign = imported.filter(({ name }) => !/^\.|^node:/.test(name) && !isBuiltin(name));
    expect(foreign).toEqual([]);
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

  // Without the resolution of Node 10, which knows no entry but the main one, and which TypeScript has no longer.
  it('satisfies arethetypeswrong', () => {
    const attw = resolve('node_modules/@arethetypeswrong/cli/dist/index.js');
    const report = JSON.parse(
      execFileSync(process.execPath, [attw, '--profile', 'node16', '--format', 'json', tarball], {
        encoding: 'utf8',
      }),
    );
    const { entrypoints } = report.analysis;
    for (const entry of ['.', './client', './merge']) {
      expect(entrypoints[entry].resolutions.bundler, entry).toMatchObject({ resolution: { isJson: false } });
    }
    expect(Object.values(report.problems).flat()).toEqual([
      expect.objectContaining({ kind: 'NoResolution', entrypoint: './client', resolutionKind: 'node10' }),
      expect.objectContaining({ kind: 'NoResolution', entrypoint: './merge', resolutionKind: 'node10' }),
    ]);
  });
});

/** A proxy that answers everything with the text. */
async function startProxy(text: string) {
  const { url, requests } = await serve((_, response) => response.end(text));
  return { http_proxy: url, asked: () => requests.map((request) => request.url) };
}

describe('the installed program', () => {
  const index = resolve(realIndexFile);

  it.each([
    [['lightspan', '--version'], 0, packageJson.version],
    [['lightspan', 'upgrade-check', '--from', '1.121.0', '--to', '1.156.0'], 0, 'Verdict: SAFE'],
    [['upgrade-check', '--from', '1.121.0', '--to', '1.156.0'], 0, 'Verdict: SAFE'],
    [['upgrade-check', '--from', '1.111.0', '--to', '1.115.0'], 1, 'Verdict: UNSAFE'],
    [['upgrade-check', '--from', '2.125.0', '--to', '2.127.0'], 1, 'ai-prompt-table-in-core-migration'],
    [['lightspan', 'known-issues', 'list'], 0, 'Known issues: '],
    [['upgrade-check', '--from', 'one', '--to', '1.115.0', '--json'], 2, '"safe":false'],
  ])('npx %j ends with %i', async (argv, code, output) => {
    const result = await runInApp('npx', ['--offline', '--no', '--', ...argv], { LIGHTSPAN_INDEX: index });
    expect(result).toMatchObject({ code, stdout: expect.stringContaining(output) });
  });

  it('goes through a proxy, for which it loads undici', async () => {
    const url = 'http://index.invalid/release-safety-index.json';
    const { http_proxy, asked } = await startProxy(realIndexText);
    const result = await runInApp(
      nodeUnderTest,
      [
        join('node_modules', 'lightspan', 'bin', 'lightspan.cjs'),
        ...['upgrade-check', '--from', '1.121.0', '--to', '1.156.0'],
        ...['--index', url, '--allow-http', '--no-cache'],
      ],
      { http_proxy },
    );
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('Verdict: SAFE') });
    expect(asked()).toEqual([url]);
  });
});

describe('the installed library', () => {
  const use = `
    const index = lightspan.parseReleaseSafetyIndexText(readFileSync(process.argv[2], 'utf8'));
    const { safe } = lightspan.evaluateSpan(index, { from: '1.121.0', to: '1.156.0' });
    const noLongerSafe = lightspan.evaluateSpan(lightspan.withKnownIssues(index), { from: '2.125.0', to: '2.127.0' }).safe;
    console.log(JSON.stringify({ safe, noLongerSafe, exports: Object.keys(lightspan).sort() }));`;

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
      noLongerSafe: false,
      exports: Object.keys(await import('../src/library/index.js')).sort(),
    });
  });

  it('runs what its page shows, in which the known issues count', async () => {
    const [, snippet = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync('docs/library.md', 'utf8')) ?? [];
    const page = `
      import { readFileSync } from 'node:fs';
      import { withKnownIssues } from 'lightspan';
      const response = new Response(readFileSync(process.argv[2]));
      ${snippet}
      const since = { from: '2.125.0', to: '2.127.0' };
      const published = withKnownIssues(index, { records: [] });
      console.log(safe, jump, rolling, reasons, evaluateSpan(index, since).safe, evaluateSpan(published, since).safe);`;
    writeFileSync(join(folder, 'app', 'page.mjs'), page);
    expect(await runInApp(nodeUnderTest, ['page.mjs', resolve(realIndexFile)])).toEqual({
      code: 0,
      stdout: 'true true true [] false true\n',
      stderr: '',
    });
  });

  const useEntries = `
    const parsed = merge.parseMergeRequest({});
    let caught;
    try { client.createClient({ url: 'no address', token: '' }); } catch (error) { caught = error; }
    console.log(JSON.stringify({
      merge: Object.keys(merge).sort(),
      client: Object.keys(client).sort(),
      sameError: caught instanceof main.LightspanError && caught instanceof client.LightspanError,
      sameRequest: parsed.ok === false && merge.parseMergeRequest === main.parseMergeRequest,
    }));`;

  it.each([
    [
      'entries.mjs',
      `import * as main from 'lightspan'; import * as client from 'lightspan/client'; import * as merge from 'lightspan/merge';`,
    ],
    [
      'entries.cjs',
      `const [main, client, merge] = ['lightspan', 'lightspan/client', 'lightspan/merge'].map((name) => require(name));`,
    ],
  ])('%s runs the entries of client and merge, which are parts of the main one', async (file, load) => {
    writeFileSync(join(folder, 'app', file), load + useEntries);
    const { code, stdout, stderr } = await runInApp(nodeUnderTest, [file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      merge: Object.keys(await import('../src/library/merge.js')).sort(),
      client: Object.keys(await import('../src/library/client.js')).sort(),
      sameError: true,
      sameRequest: true,
    });
  });

  it('loads of merge queries nothing of Node, and neither core nor client', () => {
    const dist = join(folder, 'app', 'node_modules', 'lightspan', 'dist', 'cjs');
    const loaded = (file: string): string[] => {
      const text = readFileSync(join(dist, file), 'utf8');
      const named = [...text.matchAll(/(?:require|import)\("([^"]+)"\)/g)].map(([, name = '']) => name);
      return [file, ...named.flatMap((name) => (name.startsWith('./') ? loaded(name) : [name]))];
    };
    const files = new Set(loaded('merge.js'));
    expect([...files].filter((file) => !/^(\.\/)?(merge|shared-\w+)\.js$/.test(file))).toEqual([]);
    const bytes = [...files].reduce((sum, file) => sum + statSync(join(dist, file)).size, 0);
    expect(bytes).toBeLessThan(statSync(join(dist, 'index.js')).size / 2);
  });

  const ask = `
    const client = createClient({ url: 'http://lightdash.invalid', token: 'ldpat_0', allowHttp: true, env: process.env });
    client.listUsers().then(({ status }) => console.log(status));`;

  it.each([
    ['ask.mjs', `import { createClient } from 'lightspan';`],
    ['ask.cjs', `const { createClient } = require('lightspan/client');`],
  ])('%s goes through a proxy', async (file, load) => {
    writeFileSync(join(folder, 'app', file), load + ask);
    const { http_proxy, asked } = await startProxy('{"status":"ok","results":[]}');
    const result = await runInApp(nodeUnderTest, [file], { http_proxy });
    expect(result).toEqual({ code: 0, stdout: 'ok\n', stderr: '' });
    expect(asked()).toEqual([expect.stringContaining('http://lightdash.invalid/')]);
  });

  const consumer = `
    import { createClient, evaluateSpan, parseMergeRequest, parseReleaseSafetyIndex, type MergeRequest, type ReasonKind, type ReleaseSafetyIndex } from 'lightspan';
    import { createClient as createOwn, type LightdashClient } from 'lightspan/client';
    import { checkMergeRules, parseMergeRequest as parseOwn, type MergeRequest as OwnRequest } from 'lightspan/merge';
    export const own: LightdashClient = createOwn({ url: 'https://lightdash.example.com', token: '' });
    const request = parseOwn({});
    export const sameType: MergeRequest | undefined = request.ok ? (request.value satisfies OwnRequest) : undefined;
    export const kinds2: readonly string[] = request.ok ? checkMergeRules(request.value.mergeQuery).map(({ kind }) => kind) : [];
    const parsed = parseMergeRequest({});
    export const merge: MergeRequest | undefined = parsed.ok ? parsed.value : undefined;
    // @ts-expect-error a parsed request is no number
    export const noMerge: number | undefined = parsed.ok ? parsed.value : undefined;
    export const client = createClient({ url: 'https://lightdash.example.com', token: '', fetch });
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
