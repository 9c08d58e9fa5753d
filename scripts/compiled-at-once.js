import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';

/**
 * Of a file, Node keeps compiled only what V8 has compiled when it was loaded; any other function is compiled at every
 * start, when it is first called. V8 compiles at once what stands in parentheses
 * (`compiled-at-once.md` says why): this puts them around the functions that the given command lines
 * run, as V8 counts them, and leaves all others as they are.
 *
 * @param {string} program the path of a CommonJS program as esbuild makes it, with its `main`
 * @param {{ path: string, text: string }[]} files it, and what it may load
 * @param {string[][]} commandLines
 * @returns {Promise<string>}
 */
export async function compiledAtOnce(program, files, commandLines) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lightspan-compiled-')));
  try {
    for (const { path, text } of files) writeFileSync(join(folder, basename(path)), text);
    for (const argv of commandLines) await run(join(folder, basename(program)), argv);
    const { text } = files.find(({ path }) => path === program);
    return withParentheses(text, functionsOf(basename(program), join(folder, 'coverage')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a command line of the program, and has V8 count its functions. */
async function run(file, argv) {
  const folder = dirname(file);
  const code = `${withoutTimers}require(${JSON.stringify(file)}).main(${JSON.stringify(argv)})`;
  const running = spawn(process.execPath, ['-e', code], {
    cwd: folder,
    env: {
      ...{ ...process.env, NODE_OPTIONS: '', GITHUB_ACTIONS: '' },
      NODE_V8_COVERAGE: join(folder, 'coverage'),
      LIGHTSPAN_CACHE_DIR: join(folder, 'cache'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [status]] = await Promise.all([textOf(running.stderr), once(running, 'close')]);
  if (status !== 0 && status !== 1) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`);
}

/** Where the functions of a program stand, and how often each was called. */
function functionsOf(name, coverage) {
  return readdirSync(coverage)
    .flatMap((file) => JSON.parse(readFileSync(join(coverage, file), 'utf8')).result)
    .filter(({ url }) => url.endsWith(`/${name}`))
    .flatMap(({ functions: [, ...inside] }) => inside.map(({ ranges: [outer] }) => outer));
}

/** No timer fires: which of them do depends on the machine, and the same source is to give the same bytes. */
const withoutTimers = `
for (const name of ['setTimeout', 'setInterval']) {
  const set = globalThis[name];
  globalThis[name] = (run, ms, ...given) => set(run, 2 ** 31 - 1, ...given);
}
`;

/** A declaration is moved to the top, where it is hoisted to, as a variable: it has no place for parentheses. */
function withParentheses(code, functions) {
  const ran = functions.filter(({ count }) => count > 0).sort((a, b) => a.startOffset - b.startOffset);
  /** The text between two positions, with parentheses around what runs in it. */
  const written = (from, to) => {
    let text = '';
    let at = from;
    for (const { startOffset: start, endOffset: end } of ran) {
      if (start < at || end > to || (start === from && end === to)) continue;
      const inside = written(start, end);
      const isExpression = /^(async )?(function\W*\(|\(|[\w$]+=>)/.test(inside);
      text += code.slice(at, start) + (isExpression ? `(${inside})` : inside);
      at = end;
    }
    return text + code.slice(at, to);
  };
  const [strict] = /^"use strict";/.exec(code) ?? [''];
  let moved = '';
  let rest = '';
  let at = strict.length;
  for (const { startOffset: start, endOffset: end } of ran) {
    const [head, keyword, name] =
      /^((?:async )?function\*?) ([\w$]+)(?=\()/.exec(code.slice(start, end)) ?? [];
    if (head === undefined || start < at || !isOutermost(functions, start, end)) continue;
    rest += written(at, start);
    moved += `var ${name}=(${keyword}${written(start, end).slice(head.length)});`;
    at = end;
  }
  return `${strict}${moved}${rest}${written(at, code.length)}`;
}

function isOutermost(functions, start, end) {
  return !functions.some(({ startOffset, endOffset }) => startOffset < start && end < endOffset);
}
