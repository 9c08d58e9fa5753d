import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerOfCheck } from '../src/answer/builders/check.js';
import { answerOfPlan } from '../src/answer/builders/plan.js';
import { answerOfRehearsal } from '../src/answer/builders/rehearsal.js';
import { plainPalette } from '../src/answer/formats/palette.js';
import { gateFormats, loadFormat, reportFormats, scanFormats } from '../src/answer/formats/registry.js';
import { latestVersionOf } from '../src/core/index/index-summary.js';
import { withWaysBack } from '../src/core/route/way-back.js';
import { evaluateSpan, planRoute } from '../src/library/library.js';
import { runCli } from './support/cli.js';
import { serverFact } from './support/facts.js';
import { serving, startInstance } from './support/instance-server.js';
import { judgedBy, noDemands } from './support/judged-by.js';
import { upgradeTo, writeSituation } from './support/preflight.js';
import { realIndex, realIndexFile } from './support/real-index.js';
import { rehearsalEvidence } from './support/rehearsal-evidence.js';
import { changeOf, gitEnv } from './support/repository.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** Every command that answers, in every format, for every outcome: what its one headline is, and over which exit code. */

const index = ['--index', realIndexFile];
const span = (from: string, to: string) => ['--from', from, '--to', to];
const compose = (tag: string) => `services:\n  bi:\n    image: lightdash/lightdash:${tag}\n`;
const values = (tag: string) => `image:\n  repository: lightdash/lightdash\n  tag: ${tag}\n`;

const folder = temporaryFolder();
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** A project of docker compose whose release stands in its `.env`. */
const composeFolder = temporaryFolder();
writeFileSync(join(composeFolder, 'compose.yaml'), compose('$LIGHTDASH_TAG'));
writeFileSync(join(composeFolder, '.env'), 'LIGHTDASH_TAG=1.121.0\n');

async function instance(
  name: string,
  facts: Parameters<typeof upgradeTo>[1] = {},
  without: readonly string[] = [],
) {
  const folder = temporaryFolder();
  const situation = upgradeTo([{ name: '20260901000000_new', tables: ['projects'] }], facts);
  const left = Object.entries(situation.facts ?? {}).filter(([key]) => !without.includes(key));
  await writeSituation(folder, { ...situation, facts: Object.fromEntries(left) });
  return { name, folder };
}

function change(before: string, after: string, name = 'values.yaml'): string[] {
  const repository = changeOf({ [name]: before }, { [name]: after });
  return ['--repo', repository.folder, '--base', 'main'];
}

interface Row {
  readonly argv: readonly string[];
  readonly code: 0 | 1 | 3;
  readonly headline: string | RegExp;
  /** The release of the instance that is asked. */
  readonly served?: string;
}

const check: readonly Row[] = [
  { argv: span('1.121.0', '1.156.0'), code: 0, headline: 'yes, rolling' },
  {
    argv: span('1.156.0', '1.156.0'),
    code: 0,
    headline: 'yes: nothing to do, 1.156.0 is the running version',
  },
  {
    argv: [
      ...span('2.125.0', '2.127.0'),
      ...['--fact', 'edition=community', '--accept', 'ai-prompt-table-in-core-migration'],
    ],
    code: 0,
    headline: 'yes, rolling; accepted: ai-prompt-table-in-core-migration',
  },
  {
    argv: span('1.111.0', '1.115.0'),
    code: 1,
    headline: 'with downtime only: allowed in one step, not proven to roll',
  },
  {
    argv: ['--from-file', file('compose.yaml', compose('1.111.0')), '--to', '1.115.0'],
    code: 1,
    headline: 'with downtime, as always with docker compose: allowed in one step',
  },
  { argv: span('1.2.0', '2.134.2'), code: 1, headline: 'no, upgrade to 1.3.0 first' },
  { argv: span('1.3.0', '2.134.2'), code: 1, headline: 'no, upgrade to 1.111.0 or later first' },
  { argv: span('0.1050.0', '0.1895.0'), code: 1, headline: 'no, upgrade to 0.1893.0 first' },
  { argv: span('1.121.0', '9.9.9'), code: 1, headline: /^no: 9\.9\.9 is newer than the index/ },
];

const plan: readonly Row[] = [
  { argv: span('1.121.0', '1.156.0'), code: 0, headline: 'yes, rolling' },
  {
    argv: span('1.156.0', '1.156.0'),
    code: 0,
    headline: 'yes: nothing to do, 1.156.0 is the running version',
  },
  { argv: span('1.111.0', '1.115.0'), code: 0, headline: 'yes, in one step, with downtime' },
  {
    argv: span('1.2.0', '2.134.2'),
    code: 0,
    headline: 'yes, in 3 steps (1.3.0, 1.111.0, then 2.134.2), all with downtime',
  },
  {
    argv: [...span('1.2.0', '2.134.2'), '--fact', 'deployed-by=compose'],
    code: 0,
    headline: 'yes, in 3 steps (1.3.0, 1.111.0, then 2.134.2), with downtime, as always with docker compose',
  },
  {
    argv: [...span('1.2.0', '2.134.2'), '--require-rolling'],
    code: 1,
    headline: 'no: 3 of 3 steps need a downtime (--require-rolling)',
  },
  {
    // Its releases are proven to roll, and docker compose never does.
    argv: [...span('1.198.1', '1.214.0'), '--fact', 'deployed-by=compose', '--require-rolling'],
    code: 1,
    headline: 'no: docker compose never rolls, every step is with downtime: leave out --require-rolling',
  },
  {
    argv: [...span('1.156.0', '1.156.0'), '--fact', 'deployed-by=compose', '--require-rolling'],
    code: 0,
    headline: 'yes: nothing to do, 1.156.0 is the running version',
  },
  {
    argv: [...span('1.2.0', '2.134.2'), '--max-hops', '2'],
    code: 1,
    headline: 'no: 3 hops, but --max-hops allows 2',
  },
  { argv: span('0.1050.0', '0.1895.0'), code: 1, headline: /^no: nothing proves the step to 0\.1893\.0: / },
  { argv: span('1.121.0', '9.9.9'), code: 1, headline: /^no: 9\.9\.9 is newer than the index/ },
];

const report: readonly Row[] = [
  { argv: span('1.121.0', '1.156.0'), code: 0, headline: 'yes, rolling' },
  {
    argv: span('1.2.0', '2.134.2'),
    code: 1,
    headline: 'with downtime only: allowed in 3 steps (1.3.0, 1.111.0, then 2.134.2), not proven to roll',
  },
  {
    argv: [...span('1.111.0', '1.115.0'), '--fact', 'deployed-by=compose'],
    code: 1,
    headline: 'with downtime, as always with docker compose: allowed in one step',
  },
  { argv: span('1.121.0', '9.9.9'), code: 1, headline: /^no: / },
];

const pins: readonly Row[] = [
  { argv: change(values('1.121.0'), values('1.156.0')), code: 0, headline: 'yes, rolling' },
  {
    argv: change(values('1.121.0'), `${values('1.121.0')}# so\n`),
    code: 0,
    headline: 'yes: nothing to do, no pin changes',
  },
  {
    argv: [...change(values('1.156.0'), values('1.157.0')), '--accept', 'recreate'],
    code: 0,
    headline: 'yes, in one step, with downtime; accepted: recreate',
  },
  {
    argv: [...change(compose('1.156.0'), compose('1.157.0'), 'compose.yaml'), '--accept', 'recreate'],
    code: 0,
    headline: 'yes, in one step, with downtime, as always with docker compose; accepted: recreate',
  },
  {
    argv: change(values('1.156.0'), values('1.157.0')),
    code: 1,
    headline: 'no: needs a downtime, which nobody accepted (--accept recreate)',
  },
  {
    argv: change(compose('1.156.0'), compose('1.157.0'), 'compose.yaml'),
    code: 1,
    headline: 'no: needs all of Lightdash stopped first, which nobody accepted (--accept recreate)',
  },
  {
    argv: [...change('TAG=1.156.0\n', 'TAG=1.157.0\n', '.env'), ...['--pin', '.env#TAG']],
    code: 1,
    headline: 'no: needs all of Lightdash stopped first, which nobody accepted (--accept recreate)',
  },
  {
    argv: change(values('1.2.0'), values('1.156.0')),
    code: 1,
    headline: 'no, upgrade to 1.3.0 first',
  },
  {
    argv: change(values('1.156.0'), values('1.121.0')),
    code: 1,
    headline: /^no: 1\.121\.0 is older than 1\.156\.0/,
  },
];

const bump: readonly Row[] = [
  {
    argv: ['--file', file('a.yaml', values('1.121.0')), '--to', '1.156.0'],
    code: 0,
    headline: 'yes, rolling',
  },
  {
    argv: ['--file', file('b.yaml', values('2.134.2'))],
    code: 0,
    headline: 'yes: nothing to do, 2.134.2 is the running version',
  },
  {
    argv: ['--file', file('c.yaml', values('1.111.0')), '--to', '1.115.0', '--allow-recreate'],
    code: 0,
    headline: 'yes, in one step, with downtime; accepted: --allow-recreate',
  },
  {
    argv: ['--file', file('d.yaml', values('1.111.0')), '--to', '1.115.0'],
    code: 1,
    headline: 'no: needs a downtime, which nobody accepted (--allow-recreate)',
  },
  {
    argv: ['--file', join(composeFolder, '.env'), '--to', '1.156.0'],
    code: 0,
    headline: 'yes, in one step, with downtime, as always with docker compose',
  },
  {
    // Its services are replaced one after the other: what may not run side by side needs all of them stopped.
    argv: ['--file', join(composeFolder, '.env'), '--to', '1.160.0'],
    code: 1,
    headline: 'no: needs all of Lightdash stopped first, which nobody accepted (--allow-recreate)',
  },
  {
    // A name alone makes no project of compose.
    argv: ['--file', file('compose-of-charts.values.yaml', values('1.121.0')), '--to', '1.156.0'],
    code: 0,
    headline: 'yes, rolling',
  },
  {
    argv: ['--file', file('e.yaml', values('1.2.0')), '--to', '1.156.0'],
    code: 1,
    headline: 'no, upgrade to 1.111.0 or later first',
  },
  {
    argv: ['--file', file('f.yaml', values('1.156.0')), '--to', 'latest-rolling'],
    code: 1,
    headline: /^no: no rolling hop leaves 1\.156\.0: 1\.157\.0 is unknown/,
  },
  {
    argv: ['--file', file('g.yaml', values('1.121.0')), '--to', '1.999.0'],
    code: 1,
    headline: 'no: 1.999.0 is not a release; nearest: 1.262.1, 2.0.0',
  },
].map((row): Row => ({ ...row, code: row.code === 0 ? 0 : 1, argv: [...row.argv, '--check'] }));

const healthy = await instance('healthy');
const stopped = await instance('stopped', { server: { ...serverFact, inRecovery: true } });
const blind = await instance('blind', {}, ['locks', 'sessions', 'connections']);
/** Facts that lack what was never asked for: they take nothing away from the releases, and no yes over them is calm. */
const uncheckedBy = (...argv: readonly string[]): Row => ({
  argv: [...argv, '--facts', join(blind.folder, 'facts.json'), '--index', blind.folder],
  code: 0,
  headline: 'yes, rolling; not everything that can stop it was checked',
});
const judged = ({ folder }: { readonly folder: string }, ...more: readonly string[]) => [
  ...['--facts', join(folder, 'facts.json'), '--index', folder, '--disk-free', '40GiB', ...more],
];
const preflight: readonly Row[] = [
  {
    argv: [...span('2.0.0', '2.1.0'), ...judged(healthy)],
    code: 0,
    headline: /^GO(, WITH CARE)?: nothing stops the upgrade/,
  },
  { argv: [...span('2.0.0', '2.1.0'), ...judged(stopped)], code: 1, headline: /^STOP: primary: / },
  { argv: [...span('2.0.0', '2.1.0'), ...judged(blind)], code: 3, headline: /^NOT KNOWN: / },
  {
    argv: [...span('2.0.0', '2.1.0'), ...judged(healthy), '--only', 'ledger'],
    code: 0,
    headline: /^GO: nothing in ledger stops the upgrade \(\d+ other checks not looked at\)$/,
  },
];

const verify: readonly Row[] = [
  {
    served: '1.156.0',
    argv: ['--version', '1.156.0', '--window', '0s'],
    code: 0,
    headline: 'Verified: ready, and serves 1.156.0',
  },
  {
    served: '1.155.0',
    argv: ['--version', '1.156.0', '--window', '0s'],
    code: 1,
    headline: 'Not verified: ready, and serves 1.155.0 instead of 1.156.0',
  },
  {
    served: '1.156.0',
    argv: [
      '--version',
      '1.156.0',
      '--window',
      '0s',
      '--facts',
      join(blind.folder, 'facts.json'),
      '--index',
      blind.folder,
    ],
    code: 3,
    headline: /^not known: /,
  },
];

/** What facts of an instance stop, in the commands that take them. */
const stoppedBy = (...argv: readonly string[]): Row => ({
  argv: [...argv, '--facts', join(stopped.folder, 'facts.json'), '--index', stopped.folder],
  code: 1,
  headline: /^no: primary: /,
});
const pinned = (name: string) => ['--file', file(name, values('2.0.0')), '--to', '2.1.0', '--check'];

const withIndex = (rows: readonly Row[]) => rows.map((row) => ({ ...row, argv: [...row.argv, ...index] }));
const gates = gateFormats.filter((format) => format !== 'json');
const scans = scanFormats.filter((format) => format !== 'json');
const table: Readonly<
  Record<string, { readonly rows: readonly Row[]; readonly formats: readonly string[] }>
> = {
  'upgrade-check': {
    rows: [...withIndex(check), stoppedBy(...span('2.0.0', '2.1.0')), uncheckedBy(...span('2.0.0', '2.1.0'))],
    formats: gates,
  },
  'upgrade-plan': {
    rows: [...withIndex(plan), stoppedBy(...span('2.0.0', '2.1.0')), uncheckedBy(...span('2.0.0', '2.1.0'))],
    formats: gates,
  },
  'upgrade-report': {
    rows: [
      ...withIndex(report).map((row) => ({
        ...row,
        argv: [...row.argv, '--artifact-url', 'fixtures/mirror'],
      })),
      stoppedBy(...span('2.0.0', '2.1.0')),
      { argv: [...span('2.0.0', '2.1.0'), ...judged(blind)], code: 3 as const, headline: /^not known: / },
    ],
    formats: reportFormats.filter((format) => format !== 'json'),
  },
  'pin-check': {
    rows: [
      ...withIndex(pins),
      stoppedBy(...change(values('2.0.0'), values('2.1.0'))),
      uncheckedBy(...change(values('2.0.0'), values('2.1.0'))),
    ],
    formats: scans,
  },
  'upgrade-bump': {
    rows: [
      ...withIndex(bump),
      stoppedBy(...pinned('stopped.yaml')),
      uncheckedBy(...pinned('unchecked.yaml')),
    ],
    formats: [],
  },
  'upgrade-preflight': { rows: preflight, formats: gates },
  'upgrade-verify': { rows: verify, formats: [] },
};

const rows = Object.entries(table).flatMap(([command, { rows, formats }]) =>
  rows.flatMap((row) =>
    (formats.length === 0 ? [undefined] : formats).map(
      (format) =>
        [`${command} ${row.argv.slice(0, 4).join(' ')} ${format ?? 'text'}`, command, row, format] as const,
    ),
  ),
);

/** The headlines that a format has, in the order in which they stand there, without its own escapes. */
function headlinesIn(text: string, format: string): string[] {
  const plain = text
    .replaceAll(/\\([-_*[\]()#|])/g, '$1')
    .replaceAll('&#58;', ':')
    .replaceAll('&gt;', '>')
    .replaceAll('&apos;', "'")
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%');
  if (format === 'sarif') {
    return JSON.parse(text).runs.map(({ invocations }: { invocations: { exitCodeDescription: string }[] }) =>
      invocations[0]?.exitCodeDescription.replace(/^Answer: /, ''),
    );
  }
  const found = [
    ...plain.matchAll(format === 'text' ? /Answer: (.*)/g : /Answer: (.*?)(?=<\/?\w|\*\*|&#10;|\n|$)/g),
  ].map(([, words = '']) => words);
  return found;
}

describe.each(rows)('%s', (_, command, { argv, code, headline, served }, format) => {
  it('has one headline, the same first and last, and yes only over exit 0', async () => {
    const asked = served === undefined ? [] : ['--instance', (await startInstance(serving(served))).url];
    const words = [command, ...argv, ...asked, ...(format === undefined ? [] : ['--format', format])];
    const outcome = await runCli(words, { env: gitEnv });
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.any(String)]);
    const found = headlinesIn(outcome.stdout, format ?? 'text');
    expect(new Set(found).size).toBe(1);
    const [said = ''] = found;
    if (typeof headline === 'string') expect(said).toBe(headline);
    else expect(said).toMatch(headline);
    expect(/^(yes\b|GO\b|Verified\b)/.test(said)).toBe(code === 0);
    expect(/\byes\b/.test(said) && code !== 0).toBe(false);
    if (format !== undefined && format !== 'text') return;
    const lines = outcome.stdout.trimEnd().split('\n');
    const isContract = command === 'upgrade-check';
    if (!isContract) expect(lines[0]).toBe(`Answer: ${said}`);
    if (lines.length > 25) expect(lines.at(-1)).toBe(`Answer: ${said}`);
  });
});

const colours = new RegExp(String.raw`${'\u001b'}\[(\d+)m${'\u001b'}\[(\d+)m(.)`, 'u');

it('on a terminal it has a sign, and its colour is never red where the exit code is 3', async () => {
  const seen = await Promise.all(
    [check[0], check[3], check[5]].map(async (row) => {
      const { stdout } = await runCli(['upgrade-check', ...(row?.argv ?? []), ...index], {
        columns: 80,
        env: { FORCE_COLOR: '1' },
      });
      return stdout
        .split('\n')
        .find((line) => line.includes('Answer:'))
        ?.match(colours)
        ?.slice(1);
    }),
  );
  expect(seen).toEqual([
    ['1', '32', '✓'],
    ['1', '33', '▲'],
    ['1', '31', '✗'],
  ]);
});

it('a check says that a step is allowed exactly where a plan takes it, over the whole public index', () => {
  const real = realIndex();
  const all = real.entries.map(({ version }) => version);
  const latestVersion = latestVersionOf(real);
  const details = { verbose: false, judgedBy, demands: noDemands, latestVersion, deploy: undefined };
  const ends = all.filter((_, i) => i % 97 === 0);
  for (const from of ends) {
    for (const to of ends.filter((_, i) => i > ends.indexOf(from))) {
      const route = planRoute(real, { from, to });
      const { headline } = answerOfCheck(evaluateSpan(real, { from, to }), {
        ...details,
        firstHop: () => route.hops[0],
      });
      const planned = answerOfPlan(withWaysBack(route), {
        ...details,
        ...{ requireRolling: false, maxHops: undefined, startIsNoRelease: false },
        ...{ renderedHops: undefined, scripts: undefined },
      });
      const inOneStep = planned.headline.exitCode === 0 && route.hops.length === 1;
      expect([from, to, headline.tone === 'care' || headline.exitCode === 0]).toEqual([from, to, inOneStep]);
      expect(headline.exitCode === 0).toBe(planned.headline.text === 'yes, rolling');
      const first = /^no, upgrade to (\S+) first$/.exec(headline.text)?.[1];
      if (first !== undefined && planned.headline.exitCode === 0)
        expect(first).toBe(route.hops[0]?.toVersion);
    }
  }
});

/** Of `upgrade-rehearse`, which needs a server: what it shows, by what it found. */
const rehearsals: readonly {
  readonly found: Parameters<typeof rehearsalEvidence>[0];
  readonly code: 0 | 1 | 3;
  readonly headline: string;
  readonly next: string;
  readonly out?: string;
}[] = [
  {
    found: {},
    code: 0,
    headline: 'yes: 9 min 20 s of migrations on this machine, on the backup of 2026-09-05 (20.98 MiB)',
    next: 'keep the evidence, for --rehearsal of other commands: again --out rehearsal.json',
  },
  {
    found: {},
    out: 'kept.json',
    code: 0,
    headline: 'yes: 9 min 20 s of migrations on this machine, on the backup of 2026-09-05 (20.98 MiB)',
    next: 'plan with the evidence: plan --rehearsal kept.json',
  },
  {
    found: { mode: 'dry' },
    code: 0,
    headline: 'yes: the only migration of 1 hop applies (dry: no times)',
    next: 'for a time, rehearse with rows: again --full',
  },
  {
    found: { hops: [] },
    code: 0,
    headline: 'yes: nothing to do, 2.1.0 is the running version',
    next: 'keep the evidence, for --rehearsal of other commands: again --out rehearsal.json',
  },
  {
    found: { hops: [], safe: false, answer: 'not-known', why: ['the dump has no ledger'] },
    code: 3,
    headline: 'not known: the dump has no ledger',
    next: 'bring what is missing, and rehearse again: again',
  },
  {
    found: { safe: false, answer: 'no', why: ['hop 1 fails in x'] },
    code: 1,
    headline: 'no: hop 1 fails in x',
    next: 'do not upgrade yet: fix what fails, and rehearse again: again',
  },
  {
    found: { safe: false, answer: 'not-known', why: ['hop 1: no image'] },
    code: 3,
    headline: 'not known: hop 1: no image',
    next: 'bring what is missing, and rehearse again: again',
  },
];

describe.each(rehearsals)('upgrade-rehearse: $headline', ({ found, code, headline, next, out }) => {
  it.each(gates)('has one headline in %s, and yes only over exit 0', async (name) => {
    const answer = answerOfRehearsal(rehearsalEvidence(found), {
      ...{ dump: 'nightly.dump', lastLines: [], knownIssue: undefined },
      commands: {
        again: (...more) => ['again', ...more].join(' '),
        plan: out === undefined ? undefined : `plan --rehearsal ${out}`,
      },
    });
    expect([answer.headline.exitCode, answer.next]).toEqual([code, next]);
    const { write } = await loadFormat(name);
    const text = write(answer, {
      exitCode: code,
      text: { palette: plainPalette, verbose: false, width: undefined },
    });
    expect(new Set(headlinesIn(text, name))).toEqual(new Set([headline]));
    expect(/^yes\b/.test(headline)).toBe(code === 0);
  });
});

it('offers each command its formats, and writes each of them', async () => {
  expect(gateFormats).toEqual(['text', 'json', 'github', 'junit', 'markdown']);
  expect(scanFormats).toEqual([...gateFormats, 'sarif']);
  expect(reportFormats).toEqual(['text', 'json', 'markdown', 'html']);
  for (const name of [...gates, 'sarif', 'html'] as const) {
    const { writeFailure } = await loadFormat(name);
    const failure = writeFailure({ code: 'network', message: 'no answer', hint: undefined }, 3);
    expect(failure).not.toMatch(/\byes\b/);
  }
});
