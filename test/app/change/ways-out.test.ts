import { describe, expect, it } from 'vitest';
import { notJudged } from '../../../src/app/change/not-judged.js';
import { pinsFor } from '../../../src/app/change/ways-out.js';
import type { Unexplained } from '../../../src/pins/compare/unexplained.js';
import { treeOfTexts } from '../../../src/pins/pin-tree.js';

const placeOf = (told: Partial<Unexplained> & Pick<Unexplained, 'file'>): Unexplained => ({
  ...{ line: 1, before: undefined, after: undefined, why: 'text' },
  ...told,
});
const change = (before: Record<string, string>, after: Record<string, string>) => ({
  trees: [treeOfTexts(before), treeOfTexts(after)] as const,
  tagSuffix: undefined,
  renamed: new Map<string, string>(),
});
const moved = (text: string) =>
  change({ 'deploy.txt': text }, { 'deploy.txt': text.replace('1.1.0', '1.2.0') });

describe('the pins that have a change judged', () => {
  it('are an expression for a line, which leads to both sides', async () => {
    const place = placeOf({ file: 'deploy.txt', before: 'run (it) 1.1.0', after: 'run (it) 1.2.0' });
    const [pin, ...others] = await pinsFor([place], moved('run (it) 1.1.0\n'));
    expect(others).toEqual([]);
    expect(pin).toMatch(/^deploy\.txt#\/.*run \\\(it\\\) \(\[\\w\.-\]\+\)\/$/);
  });

  it('are none for a place without a version, and for what stands on no line', async () => {
    expect(await pinsFor([placeOf({ file: 'deploy.txt' })], moved('run latest\n'))).toEqual([]);
    expect(await pinsFor([placeOf({ file: 'deploy.txt', line: undefined })], moved('run 1.1.0\n'))).toEqual(
      [],
    );
  });

  it('are none at all where one place has none, or there are too many', async () => {
    const good = placeOf({ file: 'deploy.txt' });
    expect(await pinsFor([good, placeOf({ file: 'gone.txt' })], moved('run 1.1.0\n'))).toEqual([]);
    expect(await pinsFor(Array(9).fill(good), moved('run 1.1.0\n'))).toEqual([]);
  });
});

describe('what is not judged', () => {
  const hint = (places: readonly Unexplained[], pins: readonly string[] = []) =>
    notJudged(places, pins).hint ?? '';

  it('names file, line, both sides and how to have it judged, as a shell takes it', () => {
    const place = placeOf({ file: 'a.sh', line: 7, before: 'x 1.1.0', after: 'x 1.2.0' });
    const { code, message } = notJudged([place], []);
    expect([code, message]).toEqual(['not-judged', expect.stringContaining('1 place of 1 file')]);
    expect(hint([place])).toContain('  a.sh:7\n    - x 1.1.0\n    + x 1.2.0\n');
    expect(hint([place], ["a.sh#/it's ([\\w.-]+)/"])).toContain("--pin 'a.sh#/it'\\''s ([\\w.-]+)/'");
    expect(hint([place])).toContain('ignore: [{path: "a.sh", reason: …}]');
  });

  it.each(['PGPASSWORD=hunter2', 'api_key: abc', 'private-key: abc'])('keeps %s to itself', (text) => {
    const shown = hint([placeOf({ file: 'a.sh', before: text, after: `${text} 1.2.0` })]);
    expect(shown).toContain('(left out: it may hold a secret)');
    expect(shown).not.toContain(text);
  });

  it('says what a link, a submodule or an archive is', () => {
    const kinds = ['link', 'submodule', 'archive', 'no-text', 'name'] as const;
    const lines = kinds.map((why) => hint([placeOf({ file: 'x', line: undefined, why })]).split('\n')[0]);
    expect(new Set(lines).size).toBe(kinds.length);
    for (const line of lines) expect(line).toMatch(/^ {2}x: \w/);
  });
});
