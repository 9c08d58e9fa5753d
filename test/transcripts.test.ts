import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageVersion } from '../src/door/context.js';
import { factsText } from '../src/instance/facts/read-facts.js';
import { mergeQueryErrorKinds } from '../src/merge/response.js';
import { scenarios } from './checks/scenarios.js';
import { inventedArtifact, inventedHeavySections, realArtifactText } from './support/artifacts.js';
import { type CliWorld, runCli } from './support/cli.js';
import { dockerPrinting } from './support/compose-facts.js';
import { declaredCommands } from './support/declarations.js';
import { deploymentFacts, factsFileText, inCluster, valuesFact, workloadFact } from './support/deployment.js';
import { tableFact } from './support/facts.js';
import {
  type Answer,
  chartUuid,
  envOf,
  errorPayload,
  sendJson,
  startLightdash,
} from './support/lightdash-server.js';
import { mergeQuery, metricQuery } from './support/merge.js';
import { queryState, refusedMerge, resultPage, startedMerge } from './support/merge-responses.js';
import { writeTestMirror } from './support/mirror.js';
import {
  factsOf,
  healthyFacts,
  idleLease,
  ledgerOf,
  type Situation,
  upgradeTo,
  writeSituation,
} from './support/preflight.js';
import { indexOf, realIndexFile, realIndexJson, realIndexText } from './support/real-index.js';
import { failedRehearsal, rehearsalEvidence } from './support/rehearsal-evidence.js';
import { writeReportMirror } from './support/report-mirror.js';
import { changeOf, gitEnv } from './support/repository.js';
import { temporaryFolder } from './support/temporary-folder.js';

const composeFile = (tag: string) => `name: bi
services:
  lightdash:
    image: lightdash/lightdash:${tag}
    environment:
      - PGHOST
      - PGPASSWORD=\${PGPASSWORD:-secret}
  db:
    image: pgvector/pgvector:pg15
    volumes:
      - db-data:/var/lib/postgresql/data
volumes:
  db-data:
`;

/**
 * What a person or a pipeline sees, command by command: every answer as text and as JSON, held to the letter in
 * `test/transcripts/`. `npx vitest run test/transcripts.test.ts --update` updates them; read the difference.
 */

const folder = temporaryFolder();
const index = ['--index', realIndexFile];
const span = (from: string, to: string) => ['--from', from, '--to', to];

/** Commands as they were typed, and what came of them. */
class Transcript {
  private readonly parts: string[] = [];
  private readonly blocks = new Set<string>();
  private readonly names = new Map<string, string>([
    [folder, '<folder>'],
    // As it is shown where that is shorter: the project may lie beside it.
    [relative('', folder), '<folder>'],
    [`lightspan ${packageVersion}`, 'lightspan <version>'],
  ]);

  /** What differs from run to run is shown under a name. */
  name(value: string, name: string): this {
    this.names.set(value, name);
    return this;
  }

  async run(argv: readonly string[], world: CliWorld = {}): Promise<void> {
    const { code, stdout, stderr } = await runCli(argv, world);
    const shown = argv.map((word) => (/^[\w./:=#@+-]+$/.test(word) ? word : `'${word}'`)).join(' ');
    this.parts.push(
      this.conceal(
        [
          `$ lightspan ${shown}`,
          ...(world.columns === undefined ? [] : [`(a terminal of ${world.columns} columns)`]),
          stdout.trimEnd(),
          ...(stderr === '' ? [] : ['--- standard error', stderr.trimEnd()]),
          `--- exit ${code}`,
          '',
        ].join('\n'),
      ),
    );
  }

  private conceal(text: string): string {
    let concealed = text;
    for (const [value, name] of this.names) concealed = concealed.replaceAll(value, name);
    // Long lists of releases, and the style and script of a page, stand in each answer as in any other.
    concealed = concealed
      .replaceAll(/("\d+\.\d+\.\d+",)(?:"\d+\.\d+\.\d+",){9,}/g, (list, first: string) => {
        const count = list.split(',').length - 2;
        return `${first}<${count} more>,`;
      })
      .replaceAll(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g, (block) => {
        if (this.blocks.has(block)) return '<as before>';
        this.blocks.add(block);
        return block;
      });
    // A file may lose the carriage returns of CSV on its way through git; seconds pass on a machine that is busy.
    return concealed
      .replaceAll('\r\n', '\\r\n')
      .replaceAll(/"elapsedMs":[\d.]+/g, '"elapsedMs":0')
      .replaceAll(/(?<=, after )\d+(?= s\))|^\d+(?= s: )/gm, '0');
  }

  async asTextAndJson(argv: readonly string[], world: CliWorld = {}): Promise<void> {
    for (const format of formats) await this.run([...argv, '--format', format], world);
  }

  async hold(file: string): Promise<void> {
    await expect(`${this.parts.join('\n')}`).toMatchFileSnapshot(`transcripts/${file}.txt`);
  }
}

/** The other formats have tests of their own: in test/answer/formats and test/commands/every-format.test.ts. */
const formats = ['text', 'json'] as const;

/** Spans of the real index, named by what is the matter with them. */
const spans = {
  safe: span('1.121.0', '1.123.0'),
  unsafe: span('1.111.0', '1.115.0'),
  'below the floor': span('0.1050.0', '0.1895.0'),
  'to the floor': span('0.1050.0', '0.1893.0'),
  'below a minimum': span('1.2.0', '1.5.0'),
  'from an absent version': span('1.121.99', '1.123.0'),
  'to an absent version': span('1.121.0', '1.122.99'),
  'beyond the index': span('2.134.0', '9.0.0'),
  'same version': span('2.134.2', '2.134.2'),
  'same version, absent': span('9.0.0', '9.0.0'),
} as const;

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const indexWithStop = file(
  'stop.json',
  JSON.stringify(
    indexOf(
      { version: '1.0.0' },
      { version: '1.1.0', requiredStops: ['1.1.0'] },
      { version: '1.2.0', rollingUpdateSafe: 'unknown' },
      { version: '1.3.0', minPreviousVersion: '1.2.0', rollingUpdateSafe: false },
    ),
  ),
);

describe('transcripts', () => {
  it('upgrade-check', async () => {
    const transcript = new Transcript();
    for (const argv of Object.values(spans)) await transcript.run(['upgrade-check', ...argv, ...index]);
    const stop = ['upgrade-check', ...span('1.0.0', '1.3.0'), '--index', indexWithStop];
    await transcript.asTextAndJson(stop);
    await transcript.run([...stop, '--verbose'], { columns: 60 });
    await transcript.run([...stop, '--color'], { columns: 100 });
    await transcript.hold('upgrade-check');
  });

  it('settings', async () => {
    const transcript = new Transcript();
    file('pinned.yaml', 'image: {repository: lightdash/lightdash, tag: 1.121.0}\n');
    file('index.json', JSON.stringify(realIndexJson()));
    const whole = [
      ...["pins: ['pinned.yaml#image.tag']", 'to: 1.123.0', 'index: index.json'],
      ...['deploy: helm', 'helm: {release: ld, values: [pinned.yaml]}', 'facts: {edition: community}'],
    ].join('\n');
    const given = ['--settings', file('lightspan.yaml', `${whole}\n`)];
    await transcript.run(['settings', ...given]);
    await transcript.run(['settings', ...given], { env: { LIGHTSPAN_INDEX: 'other.json' } });
    await transcript.run(['settings', '--no-settings']);
    const every = [
      ...['instance: https://bi.example.com', "pins: ['env/*/values.yaml#image.tag', 'compose/*.yaml']"],
      ...['tagSuffix: -custom', 'to: latest-rolling', 'index: ./mirror', 'deploy: compose'],
      ...['helm: {release: ld, namespace: bi, context: prod, values: [base.yaml, values.yaml]}'],
      ...['compose: {files: [compose.yaml], envFiles: [prod.env]}', 'database: env', 'diskFree: 40GiB'],
      ...['facts: {edition: enterprise, rows.projects: 12}', 'knownIssues: [./our-issues]', 'accept:'],
      ...['  - {issue: object-storage-required, reason: S3 is set in the vault, until: 2027-01-31}'],
      ...['  - {check: disruption-budget, subject: ld, reason: by hand, by: us, until: 2026-01-31}'],
    ].join('\n');
    await transcript.run(['settings', '--settings', file('every.yaml', `${every}\n`)]);
    await transcript.asTextAndJson(['upgrade-check', ...given]);
    await transcript.run(['upgrade-plan', ...given]);
    await transcript.run(['upgrade-preflight', ...given, '--only', 'images', '--offline']);
    await transcript.run(['upgrade-verify', ...given]);
    await transcript.run(['index', 'status', ...given]);
    for (const [name, text] of Object.entries({
      'unknown-key': 'instnce: https://bi.example.com\n',
      'wrong-type': 'pins: values.yaml\ndeploy: docker\n',
      'duplicate-key': 'to: latest\nto: 1.2.0\n',
      secret: 'token: ldpat_x\nindex: https://u:p@x.example\ndatabase: postgresql://u:p@h/d\n',
      'two-documents': 'to: latest\n---\nto: latest\n',
      instance: 'instance: bi\n',
      target: 'to: newest\n',
      fact: 'facts: {edition: x}\n',
      aliases: `a: &a [${'x,'.repeat(1000)}]\nb: [${'*a,'.repeat(100)}]\n`,
      'one-mebibyte-of-aliases': `a: &a [x]\nb: [${'*a,'.repeat(350_000)}]\n`,
    })) {
      await transcript.run(['upgrade-plan', '--settings', file(`${name}.yaml`, text)]);
    }
    await transcript.run(['upgrade-preflight', '--settings', file('size.yaml', 'diskFree: 40 GB\n')]);
    await transcript.run(['upgrade-plan', '--settings', folder]);
    await transcript.run(['upgrade-plan', '--settings', join(folder, 'none.yaml')]);
    symlinkSync('none.yaml', join(folder, 'broken-link.yaml'));
    await transcript.run(['upgrade-plan', '--settings', join(folder, 'broken-link.yaml')]);
    const repository = join(folder, 'repository');
    mkdirSync(join(repository, '.git'), { recursive: true });
    symlinkSync('../lightspan.yaml', join(repository, 'lightspan.yaml'));
    await transcript.run(['settings', '--settings', join(repository, 'lightspan.yaml')]);
    writeFileSync(join(repository, 'out.yaml'), 'to: latest-rolling\nindex: ../index.json\n');
    const out = ['--settings', join(repository, 'out.yaml'), '--from', '1.121.0'];
    for (const more of [[], ['--json']]) await transcript.run(['upgrade-check', ...out, ...more]);
    await transcript.run(['upgrade-plan', '--settings', file('no-file.yaml', "pins: ['env/*.yaml']\n")]);
    await transcript.hold('settings');
  });

  it('a rehearsal', async () => {
    const transcript = new Transcript();
    const mirror = temporaryFolder();
    transcript.name(mirror, '<mirror>');
    const name = '20260901000000_add_timing';
    const situation = upgradeTo([{ name, tables: ['ai_prompt'], does: ['locks'] }]);
    await writeSituation(mirror, situation);
    const hops = rehearsalEvidence().hops.map((hop) => ({
      ...hop,
      migrations: [{ name: `${name}.js`, seconds: 560, locks: [] }],
    }));
    const went = file('rehearsal.json', JSON.stringify(rehearsalEvidence({ hops })));
    const failed = file('failed.json', JSON.stringify(failedRehearsal));
    const upgrade = ['--from', '2.0.0', '--to', '2.1.0', '--index', mirror];
    const seen = [...upgrade, '--facts', join(mirror, 'facts.json')];
    for (const evidence of [[], ['--rehearsal', went], ['--rehearsal', failed]]) {
      await transcript.run(['upgrade-plan', ...seen, ...evidence]);
      await transcript.run(['upgrade-preflight', ...seen, '--only', 'database', '--verbose', ...evidence]);
      await transcript.run(['upgrade-report', ...seen, ...evidence]);
    }
    await transcript.run(['upgrade-plan', ...seen, '--rehearsal', went, '--deploy', 'helm']);
    await transcript.run(['upgrade-report', ...seen, '--rehearsal', failed, '--format', 'markdown']);
    await transcript.run(['upgrade-report', ...seen, '--rehearsal', went, '--format', 'markdown']);
    for (const evidence of [went, failed]) {
      await transcript.run(['upgrade-report', ...seen, '--rehearsal', evidence, '--format', 'html']);
    }
    await transcript.run(['upgrade-check', ...upgrade, '--rehearsal', failed]);
    await transcript.hold('rehearsal');
  });

  it('what is accepted', async () => {
    const transcript = new Transcript();
    const accept = (risk: string, more = '') => `  - ${risk}\n    reason: we have looked at it\n${more}`;
    const settings = (name: string, ...risks: string[]) => [
      ...['--settings', file(`${name}.yaml`, `accept:\n${risks.join('')}`)],
    ];
    const releases = settings(
      'releases',
      accept('release: 1.112.0', '    by: data platform\n    until: 2026-12-31\n'),
      ...['1.113.0', '1.113.1', '1.114.0', '1.115.0'].map((version) => accept(`release: ${version}`)),
      accept('release: 9.9.9'),
    );
    await transcript.run(['upgrade-check', ...spans.unsafe, ...index, ...releases]);
    await transcript.run(['upgrade-check', ...spans.unsafe, ...index, ...releases, '--json']);
    const rolling = ['upgrade-plan', ...spans.unsafe, ...index, ...releases, '--require-rolling'];
    await transcript.asTextAndJson(rolling);
    await transcript.run(rolling, { now: new Date('2027-01-01T00:00:00Z') });
    const issue = settings(
      'issue',
      accept('issue: ai-prompt-table-in-core-migration'),
      accept('issue: gone'),
    );
    const over = ['--from', '2.125.0', '--to', '2.127.0', ...index, '--fact', 'edition=community'];
    for (const format of formats) {
      await transcript.run(['upgrade-check', ...over, ...issue, '--format', format]);
    }
    await transcript.run(['upgrade-plan', ...over, '--accept', 'ai-prompt-table-in-core-migration']);
    const mirror = temporaryFolder();
    transcript.name(mirror, '<mirror>');
    const situation = scenarios['long-lock-on-projects']?.broken;
    if (situation !== undefined) await writeSituation(mirror, situation);
    const lock = settings('lock', accept('check: table-locks\n    subject: projects'));
    const preflight = [
      ...['upgrade-preflight', '--from', '2.0.0', '--to', 'latest', '--only', 'database'],
      ...['--index', mirror, '--facts', join(mirror, 'facts.json'), ...lock],
    ];
    await transcript.asTextAndJson(preflight);
    await transcript.run([...preflight, '--fail-on', 'warn']);
    for (const [name, risk] of Object.entries({
      'unknown-check': 'check: disruption-budgt',
      'start-check': 'check: start-check',
      'a-stop': 'stop: 1.111.0',
      'a-date': 'issue: x\n    until: 31.12.2026',
      'no-day': 'issue: x\n    until: 2026-02-30',
      pattern: 'release: 1.x',
    })) {
      await transcript.run(['upgrade-plan', ...spans.safe, ...settings(name, accept(risk))]);
    }
    await transcript.run(['upgrade-plan', ...spans.safe, ...settings('reason', '  - issue: x\n')]);
    await transcript.run(['upgrade-plan', ...spans.safe, ...index, '--accept', 'start-check/version-path']);
    await transcript.hold('accepted');
  });

  it('upgrade-check --verify-artifacts', async () => {
    const transcript = new Transcript();
    const mirror = temporaryFolder();
    transcript.name(mirror, '<mirror>');
    await writeReportMirror(mirror, (version, i) =>
      version === '1.122.0' ? { compatibility: { rollingUpdateSafe: false } } : i % 7 === 3 ? undefined : {},
    );
    for (const argv of [spans.safe, spans.unsafe, span('1.123.0', '1.156.0')]) {
      await transcript.run(['upgrade-check', ...argv, '--index', mirror, '--verify-artifacts']);
    }
    await transcript.hold('upgrade-check-artifacts');
  });

  it('upgrade-plan', async () => {
    const transcript = new Transcript();
    const asked = [
      ...Object.values(spans),
      ['--from', '0.1050.0'],
      ['--from', '1.2.0', '--to', 'latest-rolling'],
      ['--from', '1.121.0', '--to', 'latest-rolling'],
      ['--from', '1.3.0', '--require-rolling'],
    ];
    for (const argv of asked) await transcript.run(['upgrade-plan', ...argv, ...index]);
    const least = ['--from', '1.195.0', '--to', '1.199.0', '--prefer', 'least-downtime'];
    await transcript.run(['upgrade-plan', ...least, ...index, '--artifact-url', 'fixtures/mirror']);
    await transcript.run(['upgrade-plan', ...spans.unsafe, ...index, '--verbose']);
    await transcript.asTextAndJson(['upgrade-plan', '--from', '1.0.0', '--index', indexWithStop]);
    await transcript.hold('upgrade-plan');
  });

  it('upgrade-plan --deploy, with facts of the deployment', async () => {
    const transcript = new Transcript();
    const facts = join(folder, 'facts.json');
    const plan = ['upgrade-plan', ...spans.unsafe, ...index, '--facts', facts, '--deploy'];
    const known = deploymentFacts({ ...inCluster, chartValues: valuesFact });
    writeFileSync(facts, factsFileText(known));
    await transcript.run([...plan, 'helm']);
    await transcript.run([...plan, 'helm', '--verbose']);
    await transcript.run([...plan, 'helm', '--release', 'other', '--chart-version', '2.16.300', '--verbose']);
    await transcript.run([...plan, 'compose', '--verbose']);
    const needed = ['LIGHTDASH_SECRET', 'S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'];
    const image = 'lightdash/lightdash:1.111.0';
    const environment = { PGHOST: 'db', ...Object.fromEntries(needed.map((name) => [name, 'x'])) };
    const lightdash = { image, environment };
    const volumes = [{ type: 'volume', source: 'db-data', target: '/var/lib/postgresql/data' }];
    const db = { image: 'pgvector/pgvector:pg15', volumes };
    const services = { lightdash, worker: lightdash, db };
    const compose = file('docker-compose.yml', composeFile('1.111.0'));
    const more = file('prod.yml', 'services: {}\n');
    const collect = ['upgrade-preflight', ...spans.unsafe, ...index, '--only', 'images'];
    const files = ['--compose', compose, '--compose', more];
    const env = dockerPrinting({ name: 'bi', services });
    await transcript.run([...collect, ...files, '--facts-out', facts], { env });
    await transcript.run([...plan, 'compose', '--verbose']);
    await transcript.hold('upgrade-plan-deploy');
  });

  it('upgrade-preflight', async () => {
    const transcript = new Transcript();
    const shown = ['long-lock-on-projects', 'autoscaler-brings-pods-back'];
    for (const [name, { broken }] of Object.entries(scenarios).filter(([name]) => shown.includes(name))) {
      const folder = temporaryFolder();
      transcript.name(folder, `<${name}>`);
      await writeSituation(folder, broken);
      const { from = broken.releases?.[0]?.version ?? '', edition, diskFree } = broken;
      const argv = [
        ...['upgrade-preflight', '--from', from, '--to', 'latest'],
        ...['--index', folder, '--facts', join(folder, 'facts.json')],
        ...(edition === undefined ? [] : ['--fact', `edition=${edition}`]),
        ...(diskFree === undefined ? [] : ['--disk-free', String(diskFree)]),
      ];
      await transcript.run(argv);
      if (name !== 'long-lock-on-projects') continue;
      await transcript.asTextAndJson(argv);
      const same = argv.slice(1);
      await transcript.run(['upgrade-plan', ...same]);
      await transcript.run(['upgrade-plan', ...same, '--deploy', 'compose']);
      await transcript.run(['upgrade-report', ...same]);
      await transcript.run([...argv, '--only', 'ledger,table-locks'], { columns: 60 });
      await transcript.run([...argv, '--color'], { columns: 100 });
    }
    // A healthy one, with less and less of what it is judged by.
    const [healthy, bare] = [temporaryFolder(), temporaryFolder()];
    transcript.name(healthy, '<healthy>');
    transcript.name(bare, '<without-artifacts>');
    const situation = upgradeTo([{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }]);
    await writeSituation(healthy, situation);
    const releases = ['2.0.0', '2.1.0'].map((version) => ({ version, artifact: 'missing' as const }));
    await writeSituation(bare, { ...situation, releases });
    const facts = join(healthy, 'facts.json');
    const asked = ['upgrade-preflight', '--from', '2.0.0', '--to', 'latest', '--facts', facts, '--index'];
    await transcript.run([...asked, healthy]);
    await transcript.run([...asked, healthy, '--only', 'database']);
    await transcript.run([...asked, bare]);
    await transcript.run(['upgrade-preflight', '--to', 'latest', '--facts', facts, '--index', healthy]);
    await transcript.run(['upgrade-preflight', '--grants']);
    await transcript.hold('upgrade-preflight');
  });

  it('upgrade-preflight of releases without artifacts, with a backfill on record that is pending', async () => {
    const transcript = new Transcript();
    const folder = temporaryFolder();
    transcript.name(folder, '<large-versions-table>');
    const versions = {
      name: 'saved_queries_versions',
      estimatedRows: 4_000_000,
      heapBytes: 3e9,
      indexBytes: 4e8,
    };
    const migration = '20260610120000_default_saved_chart_timezone_to_project';
    await writeSituation(folder, {
      releases: ['0.3137.0', '0.3138.0'].map((version) => ({ version, artifact: 'missing' as const })),
      facts: {
        ...healthyFacts('20260101000000_any'),
        tables: [tableFact(versions)],
        backfillRows: [{ migration, table: versions.name, rows: 40_000, modifiedRows: 0 }],
      },
    });
    const facts = ['--facts', join(folder, 'facts.json')];
    const asked = ['upgrade-preflight', '--from', '0.3137.0', '--to', 'latest', '--index', folder, ...facts];
    await transcript.run([...asked, '--only', 'backfills,migration-time']);
    await transcript.run([...asked, '--only', 'backfills', '--json']);
    await transcript.hold('upgrade-preflight-backfill');
  });

  it('upgrade-report', async () => {
    const transcript = new Transcript();
    const mirror = temporaryFolder();
    transcript.name(mirror, '<mirror>');
    await writeReportMirror(mirror);
    for (const argv of [spans.unsafe, spans['below a minimum'], spans['beyond the index']]) {
      await transcript.run(['upgrade-report', ...argv, '--index', mirror]);
    }
    const values = file('values.yaml', 'extraEnv: [{name: OLD_FLAG, value: x}, {name: OTHER, value: y}]\n');
    const report = ['upgrade-report', ...span('1.121.0', '1.123.0'), '--index', mirror];
    for (const format of formats) {
      await transcript.run([...report, '--variables', `${values}#extraEnv`, '--format', format]);
    }
    await transcript.hold('upgrade-report');
  });

  it('upgrade-bump', async () => {
    const transcript = new Transcript();
    const pins: [pin: string, ...more: string[]][] = [
      ['1.121.0', '--to', '1.156.0'],
      ['1.111.0', '--to', '1.115.0'],
      ['1.121.0'],
      ['1.121.0', '--to', 'latest-rolling'],
      ['1.156.0', '--to', 'latest-rolling'],
      ['2.134.2'],
      ['0.1050.0'],
      ['latest'],
    ];
    for (const [pin, ...to] of pins) {
      const values = file('pinned.yaml', `image:\n  tag: "${pin}" # keep\n`);
      const argv = ['upgrade-bump', '--file', `${values}#image.tag`, ...to, ...index, '--check'];
      for (const more of [[], ['--allow-recreate']]) await transcript.run([...argv, ...more]);
      await transcript.run([...argv, '--json']);
    }
    await transcript.hold('upgrade-bump');
  });

  it('pin-check', async () => {
    const transcript = new Transcript();
    const tag = (version: string) => `image:\n  tag: "${version}"\n`;
    const compose = (version: string) => `services: {bi: {image: "lightdash/lightdash:${version}"}}\n`;
    const repository = changeOf(
      {
        'proven/values.yaml': tag('1.121.0'),
        'recreate/values.yaml': tag('1.156.0'),
        'minimum/values.yaml': tag('1.2.0'),
        'beyond/values.yaml': tag('2.134.2'),
        'back/values.yaml': tag('1.156.0'),
        'gone/values.yaml': `gone: 1\n${tag('1.123.0')}`,
        'renamed/values.yaml': `# a long enough file\n${tag('1.121.0')}a: 1\nb: 2\nc: 3\n`,
        'digest/values.yaml': tag(`1.156.0@sha256:${'0'.repeat(64)}`),
        'template/values.yaml': tag('1.156.0'),
        'same/values.yaml': tag('1.156.0'),
        'latest/values.yaml': tag('latest'),
        'compose.yaml': compose('1.121.0'),
      },
      {
        'proven/values.yaml': tag('1.156.0'),
        'recreate/values.yaml': tag('1.157.0'),
        'minimum/values.yaml': tag('1.156.0'),
        'beyond/values.yaml': tag('9.9.9'),
        'back/values.yaml': tag('1.121.0'),
        'gone/values.yaml': null,
        'renamed/values.yaml': null,
        'renamed to/values.yaml': `# a long enough file\n${tag('1.156.0')}a: 1\nb: 2\nc: 3\n`,
        'digest/values.yaml': tag(`1.157.0@sha256:${'0'.repeat(64)}`),
        'template/values.yaml': tag('{{ tag }}'),
        'new/values.yaml': tag('2.134.2'),
        'compose.yaml': compose('1.156.0').replace('lightdash/', 'acme.example.com/'),
      },
    );
    transcript.name(repository.folder, '<repository>');
    for (const name of ['main', 'change']) {
      const commit = repository.git('rev-parse', name);
      transcript.name(commit, `<${name}>`).name(commit.slice(0, 12), `<${name}>`);
    }
    const argv = ['pin-check', '--repo', repository.folder, '--base', 'main', ...index];
    const pins = ['--pin', '*/values.yaml#image.tag', '--pin', 'compose.yaml#services.*.image'];
    const world = { env: gitEnv };
    await transcript.asTextAndJson([...argv, ...pins], world);
    await transcript.run([...argv, '--pin', 'recreate/values.yaml#image.tag', '--accept', 'recreate'], world);
    await transcript.run([...argv, '--pin', 'same/*.yaml#image.tag'], world);
    await transcript.run([...argv, '--pin', 'none.yaml#image.tag'], world);
    await transcript.run([...argv, ...pins, '--verbose'], world);
    await transcript.run(
      [...argv, ...pins, '--accept', 'added', '--accept', 'removed', '--accept', 'renamed'],
      world,
    );
    await transcript.run([...argv, ...pins, '--color'], world);
    await transcript.run(argv, world);
    repository.git('switch', '--quiet', '--create', 'unrelated', 'main');
    repository.commit({ 'README.md': 'x' });
    repository.git('switch', '--quiet', '--create', 'another', 'main');
    repository.commit({ 'another/values.yaml': 'image: {repository: nginx, tag: 1.0.0}' });
    for (const head of ['unrelated', 'another']) {
      transcript.name(repository.git('rev-parse', head).slice(0, 12), `<${head}>`);
      await transcript.run([...argv, '--head', head], world);
    }
    await transcript.run([...argv.with(4, 'origin/main'), ...pins], world);
    await transcript.run([...argv.with(4, '0'.repeat(40)), ...pins], world);
    await transcript.hold('pin-check');
  });

  it('index and release', async () => {
    const transcript = new Transcript();
    const faulty = realIndexJson();
    const { entries } = faulty;
    Object.assign(entries[0] ?? {}, { syntheticRequiredStop: false });
    Object.assign(entries[5] ?? {}, { syntheticRequiredStop: true });
    Object.assign(entries[3000] ?? {}, { requiredStops: ['9.9.9', '0.1.0'], minPreviousVersion: '9.9.9' });
    Object.assign(entries[3010] ?? {}, { minPreviousVersion: '1.0.99' });
    Object.assign(entries[20] ?? {}, { rollingUpdateSafe: true });
    Object.assign(entries[3100] ?? {}, { releaseDate: '2001-01-01T00:00:00Z' });
    Object.assign(entries[3500] ?? {}, { releaseDate: '2031-01-01T00:00:00Z' });
    Object.assign(entries[3300] ?? {}, { rollingUpdateSafe: null });
    entries.splice(3200, 1);
    entries.push({ ...entries[10] });
    const broken = file('faulty.json', JSON.stringify(faulty));
    const belowFloor = file(
      'below.json',
      JSON.stringify({
        ...indexOf({ version: '1.0.0' }, { version: '1.1.0' }),
        backfillFloorVersion: '1.0.5',
      }),
    );
    const twice = file('twice.json', '{"schemaVersion":"1","schemaVersion":"1","entries":[]}');
    const newer = file(
      'newer.json',
      JSON.stringify({ ...indexOf({ version: '1.0.0' }), schemaVersion: '9' }),
    );
    for (const source of [
      realIndexFile,
      indexWithStop,
      broken,
      belowFloor,
      twice,
      newer,
      join(folder, 'none'),
    ]) {
      for (const more of [[], ['--json']]) {
        await transcript.run(['index', 'status', '--index', source, ...more]);
        await transcript.run(['index', 'verify', '--index', source, ...more]);
        await transcript.run(['upgrade-check', ...spans.safe, '--index', source, ...more]);
      }
    }
    for (const from of ['1.121.0', '1.156.0', '9.9.9', 'latest']) {
      await transcript.run(['index', 'datasource', '--from', from, '--index', realIndexFile]);
    }
    const heavy = inventedArtifact(
      {
        version: '1.200.0',
        previousVersion: '1.199.0',
        rollingUpdateSafe: false,
        requiredStops: ['1.200.0'],
        minPreviousVersion: '1.111.0',
      },
      inventedHeavySections,
    );
    const mirror = temporaryFolder();
    transcript.name(mirror, '<mirror>');
    await writeTestMirror(mirror, {
      'release-safety-index.json': realIndexText,
      'artifacts/1.121.0.json': realArtifactText('1.121.0'),
      'artifacts/1.200.0.json': JSON.stringify(heavy),
      'artifacts/1.201.0.json': JSON.stringify({ ...heavy, version: '1.202.0' }),
      'artifacts/1.203.0.json': '{}',
    });
    for (const version of ['v1.121.0', '1.200.0', '1.201.0', '1.203.0', '9.9.9']) {
      for (const more of [[], ['--json']]) {
        await transcript.run(['release', 'show', version, '--artifact-url', mirror, ...more]);
      }
    }
    for (const place of ['fixtures/artifacts/{version}.json', folder]) {
      await transcript.run(['release', 'show', '1.121.0', '--artifact-url', place]);
    }
    await transcript.hold('index-and-release');
  });

  it('merge, chart, query, catalog and org', async () => {
    const transcript = new Transcript();
    const request = JSON.stringify({ mergeQuery: mergeQuery() });
    const ask = async (argv: readonly string[], answers: readonly Answer[], stdin = request) => {
      const server = await startLightdash(...answers);
      transcript.name(new URL(server.url).host, '<instance>');
      await transcript.run(argv, { env: envOf(server), stdin });
    };
    for (const name of [
      'orders-and-visits.yaml',
      'conversion-with-calculations.yaml',
      'export-with-parameters.json',
      'orders-and-earlier-result.yaml',
      'chart.json',
    ]) {
      await transcript.run(['merge', 'validate', `fixtures/merge/${name}`]);
      await transcript.run(['merge', 'validate', `fixtures/merge/${name}`, '--json']);
    }
    const calculation = { name: 'ratio', displayName: 'Ratio', sql: `1 / \${ a.count }` };
    const merges: unknown[] = [
      { mergeQuery: mergeQuery({ tableCalculations: [calculation] }) },
      { mergeQuery: mergeQuery({ sources: [] }) },
      { mergeQuery: mergeQuery({ joinKey: [] }) },
      { mergeQuery: mergeQuery({ joinType: 'cross' as never, limit: -1 }) },
      { mergeQuery: mergeQuery({ joinKey: [{ name: 'day', fieldIdBySourceId: { a: 'day' } }] }) },
      { mergequery: {} },
    ];
    for (const merge of merges) {
      for (const more of [[], ['--json']]) {
        await transcript.run(['merge', 'validate', '-', ...more], { stdin: JSON.stringify(merge) });
      }
    }
    await transcript.run(['merge', 'validate', '-'], { stdin: 'mergeQuery:\n  - [\n' });
    await ask(['merge', 'submit', '-', '--dry-run'], []);
    for (const more of [[], ['--json'], ['--verbose']]) {
      await ask(['merge', 'submit', '-', ...more], [startedMerge()]);
      await ask(
        ['merge', 'submit', '-', ...more],
        [refusedMerge(...mergeQueryErrorKinds.map((kind) => ({ kind, sourceId: 'a', fieldIds: ['day'] })))],
      );
      await ask(
        ['merge', 'submit', '-', ...more],
        [sendJson(errorPayload(404, 'NotFoundError', 'No project'), 404)],
      );
      await ask(
        ['merge', 'submit', '-', '--wait', ...more],
        [startedMerge(), queryState('error', { error: 'relation "x" does not exist' })],
      );
    }
    const rows = [
      { day: '2026-01-01', count: 1 },
      { day: '2026-01-02', count: 0 },
      { day: '', count: false },
    ];
    for (const output of ['table', 'csv', 'json', 'ndjson']) {
      await ask(['merge', 'submit', '-', '--wait', '--output', output], [startedMerge(), resultPage(rows)]);
    }
    const chart = { status: 'ok', results: { uuid: chartUuid, name: 'Orders', metricQuery: metricQuery() } };
    for (const more of [[], ['--json'], ['--metric-query']]) {
      await ask(['chart', 'get', chartUuid, ...more], [chart]);
    }
    const query = '{"exploreName":"orders","dimensions":["orders_id"]}';
    for (const more of [[], ['--json']]) {
      await ask(
        ['query', 'compile', '-', ...more],
        [{ status: 'ok', results: { query: 'SELECT 1' } }],
        query,
      );
      const metric = {
        name: 'revenue',
        label: 'Revenue',
        tags: ['finance'],
        categories: [],
        tableName: 'orders',
        tableLabel: 'Orders',
      };
      await ask(['catalog', 'metrics', ...more], [{ status: 'ok', results: { data: [metric] } }]);
      const users = [{ userUuid: 'u1', email: 'a@example.com', role: 'admin', isActive: true }];
      await ask(['org', 'users', ...more], [{ status: 'ok', results: users }]);
      await ask(
        ['org', 'users', ...more],
        [sendJson(errorPayload(403, 'ForbiddenError', 'Not allowed'), 403)],
      );
    }
    await transcript.hold('instance');
  });

  it('upgrade-verify', async () => {
    const transcript = new Transcript();
    const readyz = (status: number, body: unknown, version?: string): Answer[] => [
      (response, { url }) => {
        if (!url.endsWith('/readyz')) {
          if (version !== undefined) response.setHeader('Lightdash-Version', version);
          response.end();
        } else sendJson(body as Record<string, unknown>, status)(response);
      },
    ];
    const health = (body: unknown): Answer[] => [
      (response, { url }) =>
        sendJson(url.endsWith('/health') ? body : {}, url.endsWith('/health') ? 200 : 404)(response),
    ];
    const moments: Answer[][] = [
      readyz(200, { status: 'ready' }, '1.156.0'),
      readyz(200, { status: 'ready' }, '1.157.0'),
      readyz(200, { status: 'ready' }, '1.155.0'),
      readyz(200, { status: 'ready' }),
      readyz(200, { status: 'ready', warnings: ['migration_parked'] }, '1.156.0'),
      readyz(200, { status: 'ready', warnings: ['migration_ledger_unavailable'] }, '1.156.0'),
      readyz(503, { status: 'not_ready', reason: 'schema_pending' }),
      readyz(200, { status: 'not_ready' }, '1.156.0'),
      readyz(200, { status: 'ready', warnings: 'soon' }, '1.156.0'),
      readyz(200, { status: 'ready', warnings: [1] }, '1.156.0'),
      readyz(200, 'ready', '1.156.0'),
      readyz(500, { status: 'error', error: { message: 'broken' } }, '1.156.0'),
      health({ status: 'ok', results: { version: '1.120.0' } }),
      health({ status: 'ok', results: { healthy: true, version: 'main' } }),
      health({ status: 'ok', results: { healthy: true, version: '1.120.0' } }),
      health({ status: 'ok', results: { healthy: true, version: '1.156.0' } }),
    ];
    for (const answers of moments) {
      const { url } = await startLightdash(...answers);
      transcript.name(new URL(url).host, '<instance>');
      const once = ['--window', '0s'];
      await transcript.run(['upgrade-verify', '--instance', url, '--version', '1.156.0', ...once]);
    }
    const healthy = healthyFacts('20260801000000_old', '20260901000000_new');
    const instances: Readonly<Record<string, NonNullable<Situation['facts']>>> = {
      verified: healthy,
      broken: {
        ...healthy,
        ledger: ledgerOf('20260801000000_old'),
        tables: [tableFact({ name: 'projects', estimatedRows: 1000 })],
        lease: [{ ...idleLease, parkedAt: '2026-09-06T18:00:00Z', parkedAppVersion: '2.1.0' }],
        runs: 'not-permitted',
      },
    };
    for (const [name, facts] of Object.entries(instances)) {
      const folder = temporaryFolder();
      const { url } = await startLightdash(...readyz(200, { status: 'ready' }, '2.1.0'));
      transcript.name(new URL(url).host, '<instance>').name(folder, `<${name}>`);
      const releases = [
        { version: '2.0.0', migrations: [{ name: '20260801000000_old' }] },
        { version: '2.1.0', migrations: [{ name: '20260901000000_new', tables: ['projects'] }] },
      ];
      await writeSituation(folder, { releases, facts });
      const argv = ['upgrade-verify', '--instance', url, '--version', '2.1.0', '--window', '0s'];
      const files = ['--facts', join(folder, 'facts.json')];
      for (const more of [[], ['--json']]) {
        await transcript.run([...argv, '--index', folder, ...files, ...more]);
      }
    }
    await transcript.hold('upgrade-verify');
  });

  it('errors, and one in every format', async () => {
    const transcript = new Transcript();
    const refused: string[][] = [
      [],
      ['--version', '--json'],
      ['upgrade-check'],
      ['upgrade-check', ...span('1.x', '1.2.0')],
      ['upgrade-check', ...span('1.2.0-rc.1', '1.2.0')],
      ['upgrade-check', ...span('1.123.0', '1.121.0')],
      ['upgrade-check', ...spans.safe, '--from', '1.2.0'],
      ['upgrade-check', ...spans.safe, '--timeout', 'soon'],
      ['upgrade-check', ...spans.safe, '--index', join(folder, 'none.json')],
      ['upgrade-check', ...spans.safe, '--index', 'http://example.com/index.json'],
      ['upgrade-check', ...spans.safe, ...index, '--max-age', '1s'],
      ['upgrade-check', ...spans.safe, '--index', 'https://example.invalid/i.json', '--offline'],
      ['upgrade-check', ...spans.safe, ...index, '--nonsense'],
      ['upgrade-check', ...spans.safe, ...index, 'more'],
      ['upgrade-plan'],
      ['upgrade-plan', '--from', '1.2.0', '--to', 'newest'],
      ['upgrade-report', ...spans.safe, ...index, '--format', 'pdf'],
      ['upgrade-bump', '--file', 'values.yaml'],
      ['merge', 'submit', 'none.yaml'],
      ['index', 'mirror'],
      ['explain', 'nonsense'],
    ];
    for (const argv of refused) await transcript.run(argv);
    await transcript.asTextAndJson(['upgrade-check', ...spans.safe, '--from', '1.2.0']);
    await transcript.hold('errors');
  });

  it('refusals', async () => {
    const transcript = new Transcript();
    const preflight = ['upgrade-preflight', ...spans.safe, ...index];
    const verify = ['upgrade-verify', '--instance', 'http://127.0.0.1:9', '--version', '1.2.0'];
    const verified = [...verify, ...index];
    const plan = ['upgrade-plan', ...spans.safe, ...index];
    const bump = ['upgrade-bump', ...index, '--file'];
    const report = ['upgrade-report', ...spans.safe, ...index];
    const url = 'https://lightdash.example.com';
    const results = ['query', 'results', chartUuid, '--url', url, '--project', chartUuid];
    const check = ['upgrade-check', ...spans.safe, ...index];
    const facts = file('facts.json', factsFileText({}));
    const values = file('values.yaml', 'image: {tag: 1.2.0}\nextraEnv: 1\nempty:\n');
    const compose = file('compose.yaml', composeFile('1.2.0'));
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const beside = join(folder, 'beside');
    mkdirSync(beside);
    file('beside/compose.override.yaml', 'services: {}\n');
    const scripts = join(folder, 'scripts');
    mkdirSync(scripts);
    file('scripts/hop-1-1.121.0-to-1.123.0.sh', '# mine\n');
    const pinned = `${values}#image.tag`;
    const ledger = file('ledger.json', factsFileText(factsOf(healthyFacts('x'))));
    const backfilled = file(
      'backfilled.json',
      JSON.stringify(indexOf({ version: '0.9.0', backfilled: true }, { version: '1.0.0', backfilled: true })),
    );
    const inTwoNamespaces = ['one', 'two'].map((namespace) =>
      workloadFact({ kind: 'Deployment', name: 'lightdash', role: 'backend', namespace }),
    );
    const otherPin = `${file('other.yaml', 'image: {tag: 1.3.0}\n')}#image.tag`;
    const mirror = join(folder, 'refusing');
    await writeSituation(mirror, upgradeTo([]));
    const manifestsOf = (namespace: string) =>
      `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: lightdash, namespace: ${namespace}}\nspec: {template: {spec: {containers: [{name: lightdash, image: "lightdash/lightdash:1.2.0"}]}}}\n`;
    const deployed = file('deployed.json', factsFileText(deploymentFacts(inCluster)));
    const repository = changeOf({ 'values.yaml': 'image: {tag: 1.2.0}\n' }, { x: '1' });
    repository.git('switch', '--quiet', '--create', 'with-pins');
    repository.commit({ 'lightspan.pins.yaml': 'pins: values.yaml#image.tag\n' });
    repository.git('switch', '--quiet', 'change');
    const pins = ['pin-check', '--repo', repository.folder, ...index];
    transcript.name(repository.folder, '<repository>');

    const refused: readonly (readonly string[])[] = [
      [...check, '--tag-suffix', '-x'],
      ['upgrade-check', '--instance', url, '--to', '1.2.0', '--offline', ...index],
      [...check, '--json', '--format', 'junit'],
      [...check, '--accept', 'nonsense'],
      ['known-issues', 'show', 'nonsense'],
      [...check, '--known-issues', empty],

      [...preflight, '--sql', '--grants'],
      [...preflight, '--facts', facts, '--from-database'],
      preflight,
      [...preflight, '--facts', facts, '--only', 'nonsense'],
      [...preflight, '--facts', facts, '--database', 'postgresql://db/x'],
      [...preflight, '--facts', facts, '--facts-out', 'x.json'],
      [...preflight, '--database', 'postgresql://db/x', '--offline'],
      [...preflight, '--kubernetes', '--offline'],
      [...preflight, '--kubernetes', '--compose', compose],
      [...preflight, '--kubernetes', '--manifests', values, '--values', values],
      [...preflight, '--compose', compose, '--values', values],
      [...preflight, '--manifests', '-', '--values', '-'],
      [...preflight, '--facts', facts, '--compose-env-file', 'x.env'],
      [...preflight, '--facts', facts, '--context', 'x'],
      [...preflight, '--facts', facts, '--migrating-role', 'app'],
      [...preflight, '--facts', facts, '--secret-keys'],
      [...preflight, '--facts', facts, '--namespace', 'x'],
      [...preflight, '--facts', facts, '--max-age', '1s'],
      [
        ...preflight,
        '--facts',
        file(
          'future.json',
          factsText({ schemaVersion: '1', collectedAt: '2101-01-01T00:00:00Z', facts: {} }),
        ),
      ],
      ['upgrade-preflight', '--from-database', '--to', '1.123.0', ...index, '--facts', facts],
      ['upgrade-preflight', '--from-database', '--to', '1.0.0', '--index', backfilled, '--facts', ledger],
      ['upgrade-preflight', '--from-database', '--to', '2.1.0', '--index', mirror, '--facts', ledger],
      [...report, '--only', 'lock-and-lease'],

      [...plan, '--deploy', 'helm', '--format', 'junit'],
      [...plan, '--out', 'x'],
      [...plan, '--deploy', 'compose', '--release', 'x'],
      [...plan, '--deploy', 'helm', '--release', 'a\nb'],
      [
        ...[...plan.slice(0, 1), '--to', '1.123.0', ...index, '--deploy', 'compose'],
        ...['--from-file', `${file('a\tb.yaml', composeFile('1.121.0'))}#services.lightdash.image`],
      ],

      [...verified, '--interval', '40s', '--window', '1m'],
      [...verified, '--project', chartUuid],
      [...verified, '--canary', file('no-merge.yaml', 'a: 1\n'), '--project', chartUuid],

      [...bump, `${file('latest.yaml', 'image: {tag: latest}\n')}#image.tag`],
      [...bump, `${file('digest.yaml', `image: {tag: "1.121.0@sha256:${'0'.repeat(64)}"}\n`)}#image.tag`],
      [...bump, `${file('escaped.yaml', 'image: {tag: "1.121\\x2e0"}\n')}#image.tag`],
      [...bump, `${file('template.yaml', 'image: {{ x\n')}#image.tag`],
      [...bump, `${file('alias.yaml', 'image: *none\n')}#image.tag`],
      [...bump, `${file('deep.yaml', `x: ${'['.repeat(2000)}${']'.repeat(2000)}\n`)}#image.tag`],

      [...report, '--variables', values],
      [...report, '--variables', `${values}#none`],
      [...report, '--variables', `${values}#extraEnv`],
      [...report, '--variables', file('empty.env', '# nothing\n')],
      [...report, '--variables', join(folder, 'none.env')],

      pins,
      [...pins, '--base', 'main', '--pre-commit'],
      [...pins, '--base', 'main', '--head', 'change', '--staged'],
      [...pins, '--base', 'main', '--config', 'none.yaml'],
      [...pins, '--before', values],
      [...pins, '--before', values, '--after', values, '--head', 'change'],
      [...pins, '--before', values, '--after', values, '--staged'],
      [...pins, '--pre-commit', '--head', 'change'],
      [...pins, '--pre-commit', '--staged'],

      [...results, '--out', 'x.csv', '--output', 'ndjson'],
      [...results, '--output', 'ndjson', '--raw-csv'],
      [...results, '--output', 'csv', '--json'],
      ['query', 'results', 'nonsense', '--url', url, '--project', chartUuid],
      ['query', 'results', chartUuid, '--url', url],
      ['query', 'results', chartUuid, '--project', chartUuid],
      ['query', 'compile', file('query.json', '{"metrics":["a_b"]}'), '--url', url, '--project', chartUuid],

      ['pin-check', '--before', values, '--pin', 'values.yaml#image.tag', ...index],
      [...pins, '--base', 'main', '--head', 'with-pins'],
      [...plan.slice(0, 1), '--to', '1.123.0', '--from-file', pinned, '--deploy', 'compose', ...index],
      [
        ...plan,
        '--deploy',
        'helm',
        '--facts',
        file('two.json', factsFileText(deploymentFacts({ ...inCluster, workloads: inTwoNamespaces }))),
      ],
      [...plan, '--deploy', 'helm', '--out', scripts],
      [...preflight, '--facts', deployed, '--manifests', file('one.yaml', manifestsOf('one'))],
      [...preflight, '--manifests', file('two.yaml', manifestsOf('one') + manifestsOf('two'))],
      [...preflight, '--compose', file('beside/compose.yaml', composeFile('1.2.0'))],
      [...check.slice(0, 5), '--index', '-'],
      [...check, '--known-issues', mirror],
      ['index', 'mirror', '--out', beside, ...index],
      ['release', 'show', '1.121.0', '--index', mirror],
      ['release', 'show', '1.121.0', '--artifact-url', `${url}/{version}.json`, '--offline'],
      ['upgrade-plan', '--from-file', pinned, '--from-file', otherPin, '--to', '1.123.0', ...index],
    ];
    const env = { LIGHTDASH_API_KEY: 'a-token', HOME: folder };
    for (const argv of refused) await transcript.run(argv, { env });
    const twice = ['upgrade-check', '--from-file', '-#image.tag', '--to', '1.123.0', '--index', '-'];
    await transcript.run(twice, { env, stdin: 'image: {tag: 1.121.0}\n' });
    const merge = ['merge', 'submit', '-', '--url', url, '--project', chartUuid, '--params-file', '-'];
    await transcript.run(merge, { env, stdin: JSON.stringify({ mergeQuery }) });
    await transcript.run(results, { env: { HOME: folder } });
    await transcript.run(results, { env: { ...env, LIGHTDASH_API_KEY: 'Bearer a-token' } });
    await transcript.run(results, { env: { ...env, LIGHTDASH_API_KEY: 'a\nb' } });
    const small = JSON.stringify(indexOf({ version: '1.0.0' }));
    const twiceIn = small.replace('{', '{"schemaVersion":"1",');
    for (const stdin of ['{"a":1}', twiceIn, JSON.stringify({ ...realIndexJson(), entries: [] })]) {
      await transcript.run(['upgrade-check', ...spans.safe, '--index', '-'], { env, stdin });
    }
    const noPrograms = { ...env, PATH: folder };
    await transcript.run([...preflight, '--kubernetes'], { env: noPrograms });
    await transcript.run([...pins, '--base', 'main'], { env: noPrograms });
    const proxied = { ...env, HTTPS_PROXY: 'ftp://proxy.example.org' };
    await transcript.run(['upgrade-check', ...spans.safe, '--index', `${url}/index.json`], { env: proxied });
    const summary = { ...env, GITHUB_STEP_SUMMARY: folder };
    await transcript.run([...check, '--format', 'github'], { env: summary });
    await transcript.hold('refusals');
  });

  it('help, explain and completion', async () => {
    const transcript = new Transcript();
    await transcript.run(['--help']);
    await transcript.run(['upgrade-plan', '--help', '--all']);
    for (const { name } of await declaredCommands()) await transcript.run([...name.split(' '), '--help']);
    for (const shell of ['bash', 'zsh', 'fish']) await transcript.run(['completion', shell]);
    await transcript.run(['explain']);
    // One word of each form; docs/words.md has them all.
    for (const words of [
      ...[['rule-1'], ['required-stop'], ['ledger'], ['image-reinstalls-at-start'], ['network'], ['exit-3']],
      ['verdict', 'unknown-release'],
      ['landings'],
    ]) {
      await transcript.run(['explain', ...words]);
    }
    await transcript.run(['explain', 'required-stop', '--json']);
    await transcript.hold('help');
  });
});
