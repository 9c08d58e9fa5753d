import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manPages } from '../../scripts/docs/man-page.js';
import { declaredCommands } from '../support/declarations.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/**
 * Phrases that nobody reads any more, each with what to write in its place. What is searched is what people read: keys of
 * JSON, code and compound words (`avoid-landing`) are promises to machines, and stay.
 */
const retired: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\btells\b/i, 'say what shows it, or what it says'],
  [
    /\blands\b|\bland(?:ing)? (?:on|there|elsewhere)\b|\b(?:an?|the|next) landing\b/i,
    'a hop ends at, stops at or installs a release',
  ],
  [/\b(?:takes?|took|taken|taking) (?:\w+ ){0,3}(?:yes|away|verdict)\b/i, 'turns the answer into no'],
  [/\bof today\b/i, "today's"],
  [
    /\b(?:an?|the|another|only|wrong) (?:yes|no)\b(?! (?:or|longer|more)\b)/i,
    'the answer is yes, it passes, exit code 0',
  ],
  [/\bmay not\b/i, 'must not, cannot, might not: it has two meanings'],
  [/\bgives? `?--/i, 'pass --x'],
  [/\bnot known (?:whether|how)\b/i, 'say what cannot be seen'],
  [/\bgreen span\b/i, 'a span that is proven to roll'],
  [/\bcertif(?:y|ie[sd])\b/i, 'proven; a route is complete'],
  [/\b(?:a|no|never a) go\b(?!-)/, 'preflight says GO, or does not'],
  [
    /\bknows only its own\b|\bmake a range narrower\b|\breally runs\b|\bgives its tag to nothing\b/i,
    'say who does what',
  ],
  [/\bbuilds and runs nothing\b/i, 'installing it runs no scripts'],
  [/[?!:,;]\.(?=\s|$)/m, 'one stop'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bstands? (?:twice|here|between|before it|for more)\b|\bwhere it stands\b/i, 'appears, belongs, is'],
  [/\b(?:says?|said) no\b(?! (?:more|release))/i, 'answers no, fails, makes the answer no'],
  [/\bspeaks? (?:against|neither)\b/i, 'say what it does: it stops, forbids, contradicts'],
  [/\banew\b|\ball the same\b|\bfor want of\b|\bis to be said\b/i, 'again; still; because it was missing'],
  [/\bof them that\b|\basked? for two\b/i, 'say who does what'],
  [/\bsays? nothing of\b|\bcounts .{1,12} alone\b/i, 'says nothing about; counts only'],
  [/\bis none of\b|\b(?:if|where) it (?:is|was) none\b|\bleads? nowhere\b/i, 'is not one; does not exist'],
];

const under = (folder: string, kinds: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => kinds.test(path) && statSync(path).isFile());

const unreleased = (changelog: string) => /^## \[Unreleased\]$([\s\S]*?)^## \[/m.exec(changelog)?.[1] ?? '';

/** Every string below a `description` or a `title` of a schema. */
function described(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    (key === 'description' || key === 'title') && typeof value === 'string' ? [value] : described(value),
  );
}

/** What of a file is read by people: no code in Markdown, no keys in JSON, no name of a thing. */
function prose(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (path === 'CHANGELOG.md') return unreleased(text).replaceAll(/`[^`]*`/g, 'code');
  if (path.startsWith('schemas')) return described(JSON.parse(text)).join('\n');
  if (extname(path) !== '.md') return text.replaceAll(/"[\w-]+":/g, '').replaceAll(/"[\w-]+"/g, '');
  return text
    .replaceAll(/"[\w-]+":|[\w./-]+\.ts\b/g, '')
    .replaceAll(/^```(?:yaml|json|sh)\n[\s\S]*?^```$/gm, '')
    .replaceAll(/(?<!`)`(?!`)([^`\n]+)`/g, (_, inner: string) =>
      inner.startsWith('--') ? '--option' : 'code',
    );
}

const manFolder = temporaryFolder();
const man = [...manPages(await declaredCommands())].map(([name, page]) => {
  writeFileSync(join(manFolder, name), page);
  return join(manFolder, name);
});

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'SKILL.md', 'CHANGELOG.md', 'action.yml'],
  ...['bench/README.md', 'findings/README.md', 'scripts/compiled-at-once.md', 'test/answers-of-spans.txt'],
  ...under('docs', /^(?!docs.prose).*\.(?:md|svg)$/),
  ...man,
  ...under('examples', /./),
  ...under('schemas', /\.json$/),
  ...under('known-issues', /\.yaml$/),
  ...under('backfills', /\.yaml$/),
  ...under('test/transcripts', /\.txt$/),
  ...under('test/words', /\.txt$/),
  ...under('test/page', /\.txt$/),
];

/** The lines with the phrase; a word with a hyphen is a name. */
function linesWith(phrase: RegExp, text: string): readonly string[] {
  const sentence = text.replaceAll(/(?<![\w-])\w+(?:-\w+)+/g, 'name');
  return sentence.split('\n').filter((line) => phrase.test(line));
}

describe('what people read', () => {
  it('is all looked at', () => {
    expect(pages.length).toBeGreaterThan(150);
    for (const path of pages) expect(prose(path), path).not.toBe('');
  });

  it.each(retired)('has no %s: %s', (phrase) => {
    const found = pages.flatMap((path) =>
      linesWith(phrase, prose(path)).map((line) => `${path}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });
});
