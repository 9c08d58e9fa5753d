import { describe, expect, it } from 'vitest';
import { wrapProse } from '../../src/answer/formats/wrap.js';
import { createProgress, type Output } from '../../src/door/context.js';
import { screenOf } from '../../src/door/terminal.js';

/** What a terminal shows after all that was written to it: a line that is cleared is gone. */
function shownBy(written: string): string[] {
  return written.split('\n').map((line) => line.split('\r\u001b[K').at(-1) ?? '');
}

function open(env: Readonly<Record<string, string>> = {}, columns = 60) {
  const written: string[] = [];
  const output: Output = { isTTY: true, columns, write: (text) => written.push(text) };
  const { stdout, stderr } = screenOf({ stdout: output, stderr: output }, env);
  return { stdout, stderr, progress: createProgress({ stderr }), all: () => written.join('') };
}

describe('the last line of a terminal', () => {
  it('has one owner: any other output clears the progress first, and it is gone at the end', () => {
    const { stdout, stderr, progress, all } = open();
    progress.show('Artifacts 29/487');
    stderr.write('Waiting: the server has not answered yet.\n');
    progress.show('Artifacts 30/487');
    stdout.write('Answer: yes, rolling\n');
    progress.show('Artifacts 31/487');
    progress.clear();
    expect(shownBy(all())).toEqual(['Waiting: the server has not answered yet.', 'Answer: yes, rolling', '']);
    expect(all()).toContain('Artifacts 29/487');
  });

  it('is cut where it would wrap', () => {
    const { progress, all } = open({}, 10);
    progress.show('The query is executing');
    expect(all()).toBe('\r\u001b[KThe query');
  });

  it('shows no progress where no line can be cleared, nor anywhere but on a terminal', () => {
    const dumb = open({ TERM: 'dumb' });
    dumb.progress.show('so far');
    const written: string[] = [];
    const file: Output = { write: (text) => written.push(text) };
    createProgress(screenOf({ stdout: file, stderr: file }, {})).show('so far');
    expect([dumb.all(), written.join('')]).toEqual(['', '']);
  });
});

describe('standard error of a terminal', () => {
  it('is wrapped at words, at 100 columns at most, and a command to copy is not', () => {
    const { stderr, all } = open({}, 200);
    const words = Array.from({ length: 40 }, () => 'word').join(' ');
    stderr.write(`${words}\n    lightspan ${words}\n`);
    const [first = '', , command] = all().split('\n');
    expect(first.length).toBeLessThanOrEqual(100);
    expect(command).toBe(`    lightspan ${words}`);
  });

  it.each([
    ['one two three', 8, 'one two\nthree'],
    ['- one two three', 10, '- one two\n  three'],
    ['  - one two three', 12, '  - one two\n    three'],
    ['one\n\ntwo', 3, 'one\n\ntwo'],
  ])('%j in %i columns', (text, width, expected) => {
    expect(wrapProse(text, width)).toBe(expected);
  });
});
