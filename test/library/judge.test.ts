import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { upgradeCheckFields } from '../../src/answer/json/document.js';
import * as lightspan from '../../src/library/index.js';
import { scenarios } from '../checks/scenarios.js';
import { runCli } from '../support/cli.js';
import { publishedOf, type Situation, sourcesOf } from '../support/preflight.js';
import { realIndexText } from '../support/real-index.js';

/** Whoever has read the evidence gets from the library what the program answers. */

const rows = Object.entries(scenarios).flatMap(([name, { broken, healthy }]) => [
  [name, broken] as const,
  [`${name}, without its cause`, healthy] as const,
]);

const ends = { from: '1.121.0', to: '1.156.0' };
const parsed = () => lightspan.parseReleaseSafetyIndexText(realIndexText);
const broken = new Map([['1.156.0', { kind: 'artifact', artifact: {} }]]) as never;

async function readByLibrary(situation: Situation) {
  const { index: text, artifacts: texts } = publishedOf(situation);
  const sources = await sourcesOf(situation);
  const facts = readFileSync(join(sources[1] ?? '', 'facts.json'), 'utf8');
  const artifacts = new Map(
    [...texts].map(([version, artifact]): [string, lightspan.ArtifactOutcome] => [
      version,
      { kind: 'artifact', artifact: lightspan.parseReleaseArtifactText(artifact) },
    ]),
  );
  const plain = lightspan.parseReleaseSafetyIndexText(text);
  for (const { version, backfilled } of plain.entries) {
    if (!backfilled && !artifacts.has(version))
      artifacts.set(version, { kind: 'missing-artifact', message: 'not published' });
  }
  const index = lightspan.withKnownIssues(plain, { factsFile: facts });
  const from = situation.from ?? plain.entries[0]?.version ?? '';
  const to = situation.to ?? plain.entries.at(-1)?.version ?? '';
  return { index, ends: { from, to }, evidence: { artifacts, facts }, sources };
}

/** As JSON writes it. */
const written = (value: unknown) => JSON.parse(JSON.stringify(value));

it.each(rows)('%s', async (_, situation) => {
  const { index, ends, evidence, sources } = await readByLibrary(situation);
  const argv = ['--from', ends.from, '--to', ends.to, ...sources, '--json'];
  const answerOf = async (command: string, ...more: readonly string[]) =>
    JSON.parse((await runCli([command, ...argv, ...more])).stdout);

  const { result } = lightspan.judgeSpan(index, ends, evidence);
  expect(await answerOf('upgrade-check')).toEqual(upgradeCheckFields(result));

  const { diskFree } = situation;
  const onDisk = { ...evidence, ...(diskFree !== undefined && { diskFree }) };
  const { findings, counts } = lightspan.preflightOf(index, ends, onDisk);
  const preflight = await answerOf(
    'upgrade-preflight',
    ...(diskFree === undefined ? [] : ['--disk-free', String(diskFree)]),
  );
  expect(preflight).toMatchObject({ findings: written(findings.map(withoutTrait)), counts });

  const { route, stops } = lightspan.judgeRoute(index, ends, evidence);
  expect(await answerOf('upgrade-plan')).toMatchObject({
    safe: route.rolling && stops.length === 0,
    stops: written(stops.map(withoutTrait)),
  });
});

function withoutTrait({ settledBy: _, ...finding }: lightspan.PreflightFinding) {
  return finding;
}

it('has no yes without artifacts where a yes needs all of them', () => {
  const index = parsed();
  expect(lightspan.judgeSpan(index, ends).result.safe).toBe(true);
  const { result, unconfirmed } = lightspan.judgeSpan(index, ends, { everyArtifact: true });
  expect([result.safe, unconfirmed]).toEqual([false, true]);
});

it.each<[string, () => unknown, string]>([
  ['facts', () => lightspan.judgeSpan(parsed(), ends, { facts: '{}' }), 'unsupported-schema-version'],
  ['facts of records', () => lightspan.withKnownIssues(parsed(), { factsFile: '[]' }), 'invalid-facts'],
  [
    'facts that are parsed',
    () => lightspan.preflightOf(parsed(), ends, { facts: {} as never }),
    'invalid-facts',
  ],
  ['an artifact', () => lightspan.judgeRoute(parsed(), ends, { artifacts: broken }), 'invalid-artifact'],
  ['an end', () => lightspan.judgeSpan(parsed(), { ...ends, to: '1' }), 'invalid-version'],
])('refuses %s that it cannot read', (_, ask, code) => {
  expect(ask).toThrow(expect.objectContaining({ code }));
});
