import { execFileSync } from 'node:child_process';
import { chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSettings, foldersAbove } from '../../src/app/settings/in-force.js';
import { runCli } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { indexOf } from '../support/real-index.js';
import { gitEnv, Repository } from '../support/repository.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';

/** Who may say what judges: no change of itself, however it is named, and no other user. */

const index = JSON.stringify(indexOf({ version: '1.121.0' }, { version: '1.122.0' }));
const record = JSON.stringify(recordOf({ affected: [{ introduced: '9.0.0', fixed: '9.0.1' }] }));
const facts = JSON.stringify({ schemaVersion: '1', collectedAt: '2026-09-06T18:00:00Z', facts: {} });
const evidence = { 'data/i.json': index, 'data/ours.json': record, 'data/facts.json': facts } as const;
type Name = keyof typeof evidence;

/** A repository whose every branch but the first alters one of the files of evidence, or what leads to it. */
const repository = new Repository().commit({
  ...evidence,
  near: { link: 'data' },
  'other/i.json': index,
  'other/ours.json': record,
  'other/facts.json': facts,
  x: '1',
});
const branches = ['nothing', 'i.json', 'ours.json', 'facts.json', 'near', 'x'] as const;
for (const branch of branches) {
  repository.git('switch', '--quiet', '--create', branch, 'main');
  const file = `data/${branch}`;
  if (file in evidence) repository.commit({ [file]: `${evidence[file as Name]}\n` });
  else if (branch === 'near') repository.commit({ near: { link: 'other' } });
  else repository.commit({ x: branch });
}
const sha = repository.git('rev-parse', 'main');
const event = join(temporaryFolder(), 'event.json');
writeFileSync(event, JSON.stringify({ pull_request: { base: { sha } } }));
const outside = temporaryFolder();
for (const [name, text] of Object.entries(evidence)) writeFileSync(join(outside, name.slice(5)), text);
symlinkSync(join(repository.folder, 'data'), join(outside, 'linked'));

/** Ways to one file: whether it is of the repository, and through the link in it. */
const ways = [
  { folder: join(repository.folder, 'data'), inside: true, near: false },
  { folder: join(repository.folder, 'near'), inside: true, near: true },
  { folder: `${repository.folder}/other/../data/.`, inside: true, near: false },
  { folder: join(outside, 'linked'), inside: true, near: false },
  { folder: outside, inside: false, near: false },
];
const namings = fc.record({
  way: fc.constantFrom(...ways),
  by: fc.constantFrom<('option' | 'variable')[]>('option', 'variable'),
});

itFailsClosed(
  'evidence that a change alters',
  {
    cases: fc.record({
      branch: fc.constantFrom(...branches),
      index: namings,
      issues: fc.option(namings, { nil: undefined }),
      facts: fc.option(namings, { nil: undefined }),
      noSettings: fc.boolean(),
      fault: fc.constant({ kind: 'files' as const }),
    }),
    numRuns: 150,
    exitCodes: [0, 2],
  },
  async ({ branch, index, issues, facts, noSettings }) => {
    repository.git('switch', '--quiet', branch);
    const named = [
      { file: 'i.json', option: '--index', variable: 'LIGHTSPAN_INDEX', naming: index },
      { file: 'ours.json', option: '--known-issues', variable: 'LIGHTSPAN_KNOWN_ISSUES', naming: issues },
      { file: 'facts.json', option: '--facts', variable: undefined, naming: facts },
    ].flatMap(({ naming, ...one }) => (naming === undefined ? [] : [{ ...one, ...naming }]));
    const byVariable = named.filter(({ by, variable }) => by === 'variable' && variable !== undefined);
    const argv = named
      .filter((one) => !byVariable.includes(one))
      .flatMap(({ option, way, file }) => [option, `${way.folder}/${file}`]);
    const env = Object.fromEntries(
      byVariable.map(({ variable, way, file }) => [variable ?? '', `${way.folder}/${file}`]),
    );
    const outcome = await runCli(
      [
        ...['upgrade-check', '--from', '1.121.0', '--to', '1.122.0', '--json', ...argv],
        ...(noSettings ? ['--no-settings'] : []),
      ],
      { env: { ...gitEnv, GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event, ...env } },
    );
    const isAltered = named.some(
      ({ file, way }) => way.inside && (branch === file || (branch === 'near' && way.near)),
    );
    return {
      damaged: Buffer.from(JSON.stringify({ branch, argv, env })),
      outcome,
      safeInTruth: !isAltered,
    };
  },
);

describe.runIf(process.getuid?.() === 0)('settings that lie about', () => {
  const owners = fc.constantFrom(0, 40_001, 40_002);
  const places = fc.record({
    folderOf: owners,
    fileOf: owners,
    link: fc.option(owners, { nil: undefined }),
    kind: fc.constantFrom('file', 'file', 'pipe'),
    below: fc.boolean(),
  });

  it('are of this user or of the owner of the folder, are files, or are refused', () => {
    const counts = { taken: 0, refused: 0 };
    for (const place of fc.sample(places, { seed: 59, numRuns: 200 })) {
      const { folderOf, fileOf, link, kind, below } = place;
      const folder = temporaryFolder();
      const start = below ? join(folder, 'below') : folder;
      mkdirSync(join(folder, 'below'));
      const target = link === undefined ? join(folder, 'lightspan.yaml') : join(temporaryFolder(), 'it');
      if (kind === 'pipe') execFileSync('mkfifo', [target]);
      else writeFileSync(target, 'to: latest\n');
      if (link !== undefined) symlinkSync(target, join(folder, 'lightspan.yaml'));
      chownSync(target, fileOf, fileOf);
      if (link !== undefined) lchownSync(join(folder, 'lightspan.yaml'), link, link);
      for (const one of [folder, join(folder, 'below')]) chownSync(one, folderOf, folderOf);
      const trusted = [fileOf, link ?? fileOf].every((owner) => owner === 0 || owner === folderOf);
      const find = () => findSettings(foldersAbove(start));
      if (trusted && kind === 'file') expect(find(), JSON.stringify(place)).toMatch(/lightspan\.yaml$/);
      else expect(find, JSON.stringify(place)).toThrow(/another user's|a pipe or a device/);
      counts[trusted && kind === 'file' ? 'taken' : 'refused'] += 1;
    }
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(30);
  });
});
