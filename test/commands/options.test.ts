import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerAsInstance, metricQuery, uuid } from '../../bench/every-command.js';
import { settingsSchema } from '../../src/app/settings/read.js';
import { formatKnownIssues } from '../../src/known-issues/join-records.js';
import { runCli } from '../support/cli.js';
import { declaredCommands } from '../support/declarations.js';
import { recordOf } from '../support/known-issues.js';
import { mergeQuery } from '../support/merge.js';
import { resultPage, startedMerge } from '../support/merge-responses.js';
import { writeTestMirror } from '../support/mirror.js';
import { answering, answerOf, message, refusal } from '../support/postgres-protocol.js';
import { healthyFacts, publishedOf, slotThatNobodyReads, writeSituation } from '../support/preflight.js';
import { indexOf, realIndexFile } from '../support/real-index.js';
import { changeOf, gitEnv } from '../support/repository.js';
import { listen } from '../support/server.js';
import { quoted, standIn } from '../support/stand-in.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Every option of every command is handed to what it is for: with it, something else is answered, asked or written. */

const folder = temporaryFolder();
const out = join(folder, 'out');
const inFolder = (name: string) => join(folder, name);

const situation = {
  releases: [
    { version: '2.125.0', migrations: [{ name: '20260801000000_old' }] },
    {
      version: '2.126.0',
      migrations: [{ name: '20260901000000_new', tables: ['projects'], does: ['scans'] as const }],
    },
    { version: '2.127.0', entry: { rollingUpdateSafe: false, requiredStops: ['2.126.0'] } },
  ],
  facts: healthyFacts('20260801000000_old'),
};

const database = createTcpServer(
  answering((socket, text) => {
    noted.push(text.replaceAll(/[^\x20-\x7e]/g, ' '));
    // Names are looked up; of what is counted nothing may be seen.
    const names = [...text.matchAll(/\bAS "?(\w+)"?/gi)].map(([, name = '']) => [name, 'x'] as const);
    if (text.includes('collected_at')) socket.write(answerOf(Object.fromEntries(names)));
    else if (/^\s*select/i.test(text) && !text.includes('set_config'))
      socket.write(Buffer.concat([refusal('42501', 'no'), message('Z', 'T')]));
    else socket.write(answerOf({ done: 'x' }));
  }),
);

/** What was asked of servers and programs since the last run. */
let noted: string[] = [];

const published = publishedOf(situation);
const sound = JSON.stringify(
  indexOf({ version: '2.125.0', syntheticRequiredStop: true }, { version: '2.126.0' }),
);
const other = publishedOf({ releases: situation.releases.slice(0, 2) });
/** An index, another one, artifacts, known issues and an instance; also as a proxy before other names. */
const listener: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    noted.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
    const version = /(\d[\d.]+)\.json$/.exec(pathname)?.[1] ?? '';
    if (pathname.endsWith('/ours.json')) response.setHeader('etag', '"1"').end(files['ours.json']);
    else if (pathname.includes(unready)) response.end('{"status":"ok","results":{"status":"executing"}}');
    else if (pathname.endsWith('/index.json')) response.setHeader('etag', '"1"').end(published.index);
    else if (pathname.endsWith('/sound.json')) response.setHeader('etag', '"1"').end(sound);
    else if (pathname.startsWith('/new')) serveNew(pathname, response);
    else if (pathname.endsWith('/other.json')) response.end(other.index);
    else if (published.artifacts.has(version)) response.end(published.artifacts.get(version));
    else if (pathname.startsWith('/none')) response.writeHead(404).end();
    else if (pathname.startsWith('/waiting')) response.writeHead(503).end('{}');
    else if (pathname.endsWith('compose-merge-query')) response.end(JSON.stringify(startedMerge()));
    else if (/query\/[0-9a-f-]{36}$/.test(pathname)) response.end(JSON.stringify(page(request.url ?? '')));
    else answerAsInstance(request, response);
  });
};
const page = (url: string) =>
  resultPage([{ day: '=1' }], { nextPage: url.includes('page=1') ? 2 : null, totalResults: 2 });
const server = createServer(listener);
/** An instance of 2.126.0. */
function serveNew(pathname: string, response: ServerResponse): void {
  response.setHeader('lightdash-version', '2.126.0');
  response.end(JSON.stringify({ status: pathname.endsWith('readyz') ? 'ready' : 'ok' }));
}

let words: Readonly<Record<string, string>>;
beforeAll(async () => {
  const [port, databasePort] = [await listen(server), await listen(database)];
  const [url, pg] = [
    `http://127.0.0.1:${port}`,
    `postgresql://joe@127.0.0.1:${databasePort}/bi?sslmode=disable`,
  ];
  const { folder: repo } = changeOf(
    { 'values.yaml': files['values.yaml'] ?? '' },
    { 'values.yaml': 'image: {tag: 2.127.0}\n' },
  );
  words = { url, pg, folder, out, repo };
  await writeSituation(folder, situation);
  for (const [name, facts] of Object.entries({
    warned: { ...situation.facts, replication: slotThatNobodyReads },
    enterprise: { ...situation.facts, stated: { edition: 'enterprise' as const } },
  })) {
    await writeSituation(inFolder(name), { ...situation, facts });
    copyFileSync(inFolder(`${name}/facts.json`), inFolder(`${name}.json`));
  }
  await writeTestMirror(inFolder('mirror'), {
    'release-safety-index.json': published.index,
    'known-issues.json': formatKnownIssues([
      recordOf({ id: 'mirrored', affected: [{ introduced: '2.126.0' }] }),
    ]),
    'artifacts/2.126.0.json': published.artifacts.get('2.126.0') ?? '',
  });
  mkdirSync(inFolder('project'));
  for (const [name, text] of Object.entries(files)) writeFileSync(inFolder(name), text);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  database.close();
});

const aside = temporaryFolder();
const container = {
  name: 'lightdash',
  image: 'lightdash/lightdash:2.125.0',
  env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'keys', key: 'a' } } }],
};
const deployment = (release: string) => ({
  ...{ kind: 'Deployment', apiVersion: 'apps/v1' },
  metadata: {
    name: `${release}-backend`,
    namespace: 'bi',
    labels: { 'app.kubernetes.io/instance': release, 'app.kubernetes.io/managed-by': 'Helm' },
  },
  spec: { replicas: 1, template: { spec: { containers: [container] } } },
});
const list = (...items: object[]) => JSON.stringify({ kind: 'List', apiVersion: 'v1', items });
const project1 = JSON.stringify({
  name: 'bi',
  services: { lightdash: { image: 'lightdash/lightdash:2.125.0' } },
});
/** kubectl and docker, which note what they are asked. */
const programs = {
  PATH: [
    standIn(
      'kubectl',
      `printf 'kubectl %s\\n' "$*" >> ${aside}/run
case "$*" in
  config*) echo '{"current-context":"prod","contexts":[{"name":"prod","context":{"namespace":"bi"}},{"name":"elsewhere","context":{}}]}';;
  get\\ deployments*) echo ${quoted(list(deployment('bi')))};;
  *) echo ${quoted(list())};;
esac`,
    ),
    standIn(
      'docker',
      `printf 'docker %s\\n' "$*" >> ${aside}/run; case $2 in version) echo 2.30.0;; *) echo ${quoted(project1)};; esac`,
    ),
  ]
    .map(({ PATH }) => PATH)
    .join(':'),
};

const files: Readonly<Record<string, string>> = {
  'values.yaml': 'image: {tag: 2.125.0}\n',
  'one.yaml': 'image: {tag: 1.262.1}\n',
  'two.yaml': 'image: {tag: 2.0.0}\n',
  'before-major.yaml': 'image: {tag: 2.134.2}\n',
  'after-major.yaml': 'image: {tag: 3.0.0}\n',
  'major.json': JSON.stringify(indexOf({ version: '2.134.2' }, { version: '3.0.0' })),
  'newer.yaml': 'image: {tag: 2.126.0}\n',
  'newest.yaml': 'image: {tag: 2.127.0}\n',
  'suffixed.yaml': 'image: {tag: 2.125.0-x}\n',
  'newer-suffixed.yaml': 'image: {tag: 2.126.0-x}\n',
  'registry.yaml': 'image: {registry: "localhost:1", repository: lightdash/lightdash, tag: 2.125.0}\n',
  '.env': 'A=1\n',
  'params.yaml': 'region: EU\n',
  'faulty.yaml': 'no-such-key: 1\n',
  'ours.json': JSON.stringify(
    recordOf({ id: 'ours', affected: [{ introduced: '2.126.0' }], conditions: [] }),
  ),
  'merge.json': JSON.stringify({ mergeQuery: mergeQuery() }),
  'broken-merge.json': JSON.stringify({ mergeQuery: mergeQuery({ joinKey: [] }) }),
  'query.json': JSON.stringify(metricQuery),
  'other.json': JSON.stringify(
    recordOf({ id: 'ours', summary: 'Another.', affected: [{ introduced: '2.126.0' }] }),
  ),
  'manifests.yaml': list(deployment('bi'), deployment('other')),
  'compose.yaml': project1,
};

const unready = '00000000-0000-4000-8000-00000000000f';
const nobody = '00000000-0000-4000-8000-000000000001';
const index = '--index {url}/index.json';
const none = '--artifact-url {url}/none/{version}';
const artifacts = '--artifact-url {url}/{version}.json';
const span = `--from 2.125.0 --to 2.127.0 ${index}`;
const facts = '--facts {folder}/facts.json';
const rehearsal = '--rehearsal {folder}/facts.json';
const manifests = '--manifests {folder}/manifests.yaml';
const verify = 'upgrade-verify --instance {url} --version 1.121.0 --window 0s';
const verifyNew = `upgrade-verify --instance {url}/new --version 2.126.0 --window 0s ${index} ${artifacts} ${facts}`;
const waiting = 'upgrade-verify --instance {url}/waiting --version 1.121.0';

const accepted = '--accept ai-prompt-table-in-core-migration';

const source = '--index {url}/other.json | --max-age 1s | --offline | --no-cache | --allow-http';
const output = '--json | --verbose | --color | --no-color';
const known = `--known-issues {folder}/ours.json | --fact edition=enterprise | --publisher-only
  ${accepted}`;
const connection = '--url {url}/bi | --auth bearer | --allow-http | --json | --format json | --verbose';
/** The options that say which version runs. */
const current = (line: string) => `--from 2.126.0
  --instance {url} < ${line}
  --from-file {folder}/values.yaml < ${line}
  --tag-suffix -x < ${line} --from-file {folder}/suffixed.yaml#image.tag`;

/**
 * A command line, and below it what is appended to it, or takes the place of the same option there; `<` names another line.
 */
const table = `
upgrade-check ${span}
  ${source} | ${output}
  ${known}
  ${facts} < upgrade-check ${span} ${artifacts}
  ${rehearsal}
  ${current(`upgrade-check --to 2.127.0 ${index}`)}
  --to 2.126.0 | --format markdown
  --min-age 30m < upgrade-check --from 2.125.0 --to recommended ${index} --publisher-only
  --require-records < upgrade-check --from 2.125.0 --to recommended ${index} --publisher-only
  --to-file {folder}/newer.yaml < upgrade-check --from 2.125.0 ${index}
  --verify-artifacts < upgrade-check ${span} ${none}
  --artifact-url {url}/others/{version}.json < upgrade-check ${span} ${artifacts} --verify-artifacts
  --fail-on major < upgrade-check --from 2.134.2 --to 3.0.0 --index {folder}/major.json

upgrade-plan ${span} ${artifacts}
  ${source} | ${output}
  ${known} | ${facts} | ${rehearsal}
  ${current(`upgrade-plan --to 2.127.0 ${index}`)}
  --min-age 30m < upgrade-plan --from 2.125.0 --to recommended ${index} --publisher-only
  --require-records < upgrade-plan --from 2.125.0 --to recommended ${index} --publisher-only
  --to 2.126.0 | --format markdown | --max-hops 1 | --prefer least-downtime
  --require-rolling < upgrade-plan ${span} --publisher-only
  --fail-on major < upgrade-plan --from 2.134.2 --to 3.0.0 --index {folder}/major.json
  --project {folder}/project < upgrade-plan --from 2.134.2 --to 3.0.0 --index ${realIndexFile}
  --artifact-url {url}/others/{version}.json < upgrade-plan ${span} ${artifacts} ${facts}
  --deploy compose < upgrade-plan ${span} --publisher-only
  --out {out} < upgrade-plan ${span} --publisher-only --deploy compose
  --chart-version 2.16.300 < upgrade-plan ${span} --publisher-only --deploy helm
  --migration-job < upgrade-plan ${span} --publisher-only --deploy helm
  --release bi < upgrade-plan ${span} --publisher-only --deploy helm
  --values mine.yaml < upgrade-plan ${span} --publisher-only --deploy helm
  --compose mine.yaml < upgrade-plan ${span} --publisher-only --deploy compose
  --compose-env-file mine.env < upgrade-plan ${span} --publisher-only --deploy compose --compose mine.yaml

upgrade-report ${span} ${artifacts}
  ${source} | ${output}
  ${known} | ${facts} | ${rehearsal}
  ${current(`upgrade-report --to 2.127.0 ${index} ${artifacts}`)}
  --min-age 30m < upgrade-report --from 2.125.0 --to recommended ${index} --publisher-only
  --require-records < upgrade-report --from 2.125.0 --to recommended ${index} --publisher-only
  --to 2.126.0 | --format markdown | --out {out} | --variables {folder}/.env
  --artifact-url {url}/others/{version}.json
  --disk-free 40GiB < upgrade-report ${span} ${artifacts} ${facts}
  --only database < upgrade-report ${span} ${artifacts} ${facts}
  --fail-on major < upgrade-report --from 2.134.2 --to 3.0.0 --index {folder}/major.json --artifact-url {folder}/mirror
  --project {folder}/project < upgrade-report --from 2.134.2 --to 3.0.0 --index ${realIndexFile} --artifact-url {folder}/mirror

upgrade-preflight ${span} ${artifacts} ${facts}
  ${source} | ${output}
  --known-issues {folder}/ours.json | --fact edition=enterprise | --publisher-only
  --facts {folder}/warned.json | ${rehearsal}
  ${accepted}
  ${current(`upgrade-preflight --to 2.127.0 ${index} ${artifacts} ${facts}`)}
  --min-age 30m < upgrade-preflight --from 2.125.0 --to recommended ${index} ${facts} --publisher-only
  --require-records < upgrade-preflight --from 2.125.0 --to recommended ${index} ${facts} --publisher-only
  --to 2.126.0 | --format markdown | --disk-free 1GiB | --only database | --sql | --grants
  --artifact-url {url}/others/{version}.json
  --from-database < upgrade-preflight --to 2.127.0 ${index} ${artifacts} ${facts}
  --project {folder}/project < upgrade-preflight --from 2.134.2 --to 3.0.0 --index ${realIndexFile} --artifact-url {folder}/mirror ${facts}
  --fail-on warn < upgrade-preflight ${span} ${artifacts} --facts {folder}/warned.json --only replication-slots
  --database {pg} < upgrade-preflight ${span} ${artifacts}
  --migrating-role somebody < upgrade-preflight ${span} ${artifacts} --database {pg}
  --no-measure < upgrade-preflight ${span} ${artifacts} --database {pg}
  --facts-out {out} < upgrade-preflight ${span} ${artifacts} ${manifests} --release bi
  ${manifests} < upgrade-preflight ${span} ${artifacts}
  --values {folder}/newer.yaml < upgrade-preflight ${span} ${artifacts} ${manifests} --release bi
  --compose {folder}/compose.yaml < upgrade-preflight ${span} ${artifacts}
  --compose-env-file {folder}/.env < upgrade-preflight ${span} ${artifacts} --compose {folder}/compose.yaml
  --kubernetes < upgrade-preflight ${span} ${artifacts}
  --namespace elsewhere < upgrade-preflight ${span} ${artifacts} --kubernetes
  --release other < upgrade-preflight ${span} ${artifacts} ${manifests}
  --context elsewhere < upgrade-preflight ${span} ${artifacts} --kubernetes
  --secret-keys < upgrade-preflight ${span} ${artifacts} --kubernetes

upgrade-bump --file {folder}/values.yaml#image.tag --to 2.127.0 --check ${index}
  ${source} | --verbose | --json | --format json
  ${known}
  ${facts} < upgrade-bump --file {folder}/values.yaml#image.tag --to 2.127.0 --check --index {folder}/mirror
  --file {folder}/newer.yaml#image.tag | --to 2.126.0
  --min-age 30m < upgrade-bump --file {folder}/values.yaml#image.tag --to recommended --check ${index} --publisher-only
  --require-records < upgrade-bump --file {folder}/values.yaml#image.tag --to recommended --check ${index} --publisher-only
  --tag-suffix -x < upgrade-bump --file {folder}/suffixed.yaml#image.tag --check ${index}
  --check < upgrade-bump --file {folder}/values.yaml#image.tag --to 2.126.0 --publisher-only ${index}
  --require-image < upgrade-bump --file {folder}/registry.yaml#image.tag --to 2.126.0 --publisher-only --check ${index}
  --allow-recreate < upgrade-bump --file {folder}/newer.yaml#image.tag --to 2.127.0 --publisher-only --check ${index}
  --fail-on major < upgrade-bump --file {folder}/before-major.yaml#image.tag --to 3.0.0 --check --index {folder}/major.json

upgrade-rehearse --from 2.125.0 --to 2.127.0 ${index} --dump {folder}/no.dump --migrate x{version}
  ${source} | --json | --format markdown | --verbose | --print-dump
  --from 2.128.0 | --to 2.124.0 | --migrate x | --min-age 0 | --postgres {folder} | --roles {folder}/none.sql
  --dump {folder} < upgrade-rehearse --migrate x{version}

upgrade-status --database {pg} ${index}
  ${source
    .split(' | ')
    .map((one) => `${one} < upgrade-status --history --database {pg} ${index}`)
    .join('\n  ')}
  --history
  --database {folder} | --json | --format json | --migrating-role somebody

upgrade-verify --instance {url} --version 1.121.0 --window 0s
  --instance {url}/waiting | --version 1.120.0 | --window 2s --interval 1s | --json | --format json | --allow-http
  --canary {folder}/merge.json
  --color < ${verify} ${index} ${facts}
  --no-color < ${verify} ${index} ${facts}
  --verbose < ${verify} ${index} ${facts}
  --project ${nobody} | --auth bearer < ${verify} --canary {folder}/merge.json
  --window 2s < ${waiting} --window 0s --interval 1s
  --interval 2s < ${waiting} --window 4s --interval 1s
  --allow-newer < upgrade-verify --instance {url} --version 1.120.0 --window 0s
  --database {pg} < ${verify} ${index}
  --migrating-role somebody < ${verify} ${index} --database {pg}
  ${facts} < ${verify} ${index}
  --fact migration.20260901000000_new=applied < ${verifyNew}
  ${manifests} | --kubernetes
  --namespace elsewhere < ${verify} --kubernetes
  --release other < ${verify} ${manifests}
  --context elsewhere < ${verify} --kubernetes
  --index {url}/other.json < ${verify} ${index} ${artifacts} ${facts}
  --artifact-url {url}/others/{version}.json < ${verifyNew}
  --max-age 1s < ${verify} ${index} ${artifacts} ${facts}
  --no-cache < ${verify} ${index} ${artifacts} ${facts}

pin-check --repo {repo} --base main ${index}
  ${source} | ${output}
  ${known}
  ${facts} < pin-check --repo {repo} --base main ${index} ${artifacts}
  --format markdown | --base HEAD | --head main | --staged | --pin no.yaml#a | --config no.yaml | --repo {folder}
  --verify-artifacts < pin-check --repo {repo} --base main ${index} ${none}
  --artifact-url {url}/others/{version}.json < pin-check --repo {repo} --base main ${index} ${artifacts} --verify-artifacts
  --pre-commit < pin-check --repo {repo} ${index}
  --before {folder}/values.yaml < pin-check --after {folder}/newer.yaml ${index}
  --after {folder}/newer.yaml < pin-check --before {folder}/values.yaml ${index}
  --tag-suffix -x < pin-check --before {folder}/suffixed.yaml --after {folder}/newer-suffixed.yaml ${index}
  --accept recreate < pin-check --before {folder}/newer.yaml --after {folder}/newest.yaml --publisher-only ${index}
  --fail-on major < pin-check --before {folder}/before-major.yaml --after {folder}/after-major.yaml --index {folder}/major.json

index status ${index}
  ${source} | ${output} | --format json | --out {out}
  ${current(`index status ${index}`)}
  --known-issues {folder}/ours.json < index status --from 2.126.0 ${index} --json
  --publisher-only < index status --from 2.126.0 ${index} --json
  --fact edition=enterprise < index status --from 2.126.0 ${index} --json
  --accept migrators < index status --from 2.126.0 ${index}
  --facts {folder}/enterprise.json < index status --from 2.126.0 ${index} --json
  --fail-on x < index status --from 2.126.0 ${index}
  --min-age 300d < index status --from 2.125.0 ${index} --publisher-only
  --since {out} < index status --from 2.125.0 ${index}

index verify --index {url}/sound.json
  ${source} | --json | --format json | --color | --no-color

index mirror --out {out} ${index} ${artifacts}
  ${source} | --known-issues {folder}/ours.json | --json | --format json | --verbose | --artifacts | --to 2.126.0
  --out {out}/deeper
  --from 2.126.0 < index mirror --out {out} ${index} ${artifacts} --to 2.127.0
  --artifact-url {url}/others/{version}.json < index mirror --out {out} ${index} ${artifacts} --artifacts

index datasource --from 2.125.0 ${index}
  ${source} | --verbose | --out {out} | --publisher-only | --fact edition=enterprise
  ${accepted}
  --known-issues {folder}/ours.json < index datasource --from 2.125.0 ${index} --accept ai-prompt-table-in-core-migration
  --facts {folder}/enterprise.json
  --min-age 300d < index datasource --from 2.125.0 ${index} --publisher-only
  --to 2.125.0 < index datasource --from 2.125.0 ${index} --publisher-only
  --require-records < index datasource --from 2.125.0 ${index} --publisher-only
  --fail-on major < index datasource --from 2.134.2 --index {folder}/major.json
  --allow-recreate < index datasource --from 1.156.0 --index ${realIndexFile}
  ${current(`index datasource ${index}`)}

known-issues list --known-issues {url}/ours.json
  --from 2.125.0 | --known-issues {folder}/other.json | --json | --format json | --offline | --no-cache | --allow-http
  --to 1.0.0 < known-issues list --from 0.1.0
  --index {folder}/mirror < known-issues list

known-issues show ours --known-issues {url}/ours.json
  --known-issues {folder}/other.json | --json | --format json | --offline | --no-cache | --allow-http
  --index {folder}/mirror < known-issues show mirrored

known-issues verify {folder}/ours.json
  --json | --format json

release show 2.126.0 ${index} ${artifacts}
  --json | --format json | --color | --no-color | --artifact-url {url}/others/{version}.json | --known-issues {folder}/ours.json
  --offline | --no-cache | --allow-http
  --index {folder}/mirror < release show 2.126.0 --offline

merge validate {folder}/merge.json
  --json | --format json

merge submit {folder}/merge.json
  ${connection} | --project ${nobody} | --color | --no-color | --mode export | --export-limit 5 | --param region=EU
  --params-file {folder}/params.yaml | --invalidate-cache | --context api | --dry-run | --wait
  --no-validate < merge submit {folder}/broken-merge.json
  --output csv < merge submit {folder}/merge.json --wait
  --out {out} < merge submit {folder}/merge.json --wait
  --raw-csv < merge submit {folder}/merge.json --wait --output csv
  --page-size 7 < merge submit {folder}/merge.json --wait

chart get ${uuid}
  ${connection} | --metric-query

query compile {folder}/query.json
  ${connection} | --project ${nobody} | --explore visits

query results ${uuid} --output csv
  ${connection} | --project ${nobody} | --output json | --out {out} | --raw-csv | --page-size 7
  --wait 2s < query results ${unready} --wait 1s

catalog metrics
  ${connection} | --project ${nobody} | --tag a | --sort name | --page 2 | --page-size 7 | --all
  --order desc < catalog metrics --sort name

org users
  ${connection}

explain rule-1
  --json | --format json

settings
  --json | --format json

init

completion bash
  --install
`;

interface Row {
  readonly line: string;
  /** An option, and its value if it has one. */
  readonly more: string;
}

/** By the name of the command. */
function rowsOf(
  text: string,
  names: readonly string[],
): Map<string, readonly [usual: string, readonly Row[]]> {
  const blocks = text.trim().split('\n\n');
  return new Map(
    blocks.map((block) => {
      const [usual = '', ...lines] = block.split('\n');
      const rows = lines.flatMap((line) => {
        const [options = '', other = usual] = line.trim().split(' < ');
        return options.split(' | ').map((more) => ({ line: other, more }));
      });
      return [names.find((name) => `${usual} `.startsWith(`${name} `)) ?? usual, [usual, rows]] as const;
    }),
  );
}

/** `--timeout` is handed on by what is asked (handed-on.test.ts); the other two are the program's (cli.test.ts). */
const elsewhere = ['--timeout', '--debug', '--version'];

/** init writes into the folder that it runs in, and a rehearsal needs a server: their options are in their own tests. */
const idle: Readonly<Record<string, readonly string[]>> = {
  // With a server on which something waits: test/postgres/upgrade-status.test.ts.
  'upgrade-status': ['--stuck'],
  init: [
    ...['--instance', '--kubernetes', '--namespace', '--release', '--context'],
    ...['--tag-suffix', '--allow-http', '--json', '--format'],
  ],
  'upgrade-rehearse': [
    ...['--full', '--limit', '--role', '--env', '--fact', '--out', '--artifact-url', '--known-issues'],
    ...['--color', '--no-color', '--containers', '--image', '--tag-suffix', '--server-image'],
  ],
};

const cache = inFolder('cache');
const listing = (path: string) => {
  try {
    return readdirSync(path, { recursive: true }).map(String).sort();
  } catch {
    return [];
  }
};

/** Writes again what a run has changed: all of it before each of some thousand runs would take longer than they do. */
function restoreFiles() {
  for (const [name, text] of Object.entries(files)) {
    const path = inFolder(name);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}

async function outcomeOf(line: string, flag: string) {
  for (const path of [cache, out]) rmSync(path, { recursive: true, force: true });
  restoreFiles();
  noted = [];
  rmSync(join(aside, 'run'), { force: true });
  const far = flag === '--allow-http' ? { ...words, url: 'http://lightdash.example.com' } : words;
  const argv = line.split(' ').map((word) => word.replaceAll(/\{(\w+)\}/g, (all, name) => far[name] ?? all));
  const env = {
    ...{ ...gitEnv, ...programs, HOME: folder, LIGHTSPAN_CACHE_DIR: cache },
    ...{ LIGHTDASH_URL: far.url ?? '', LIGHTDASH_PROJECT: uuid, LIGHTDASH_API_KEY: 'a token' },
    ...(flag === '--allow-http' ? { HTTP_PROXY: words.url ?? '' } : {}),
  };
  const outcome = await runCli(argv, { env, ...(flag === '--no-color' ? { columns: 80 } : {}) });
  const ran = existsSync(join(aside, 'run')) ? readFileSync(join(aside, 'run'), 'utf8').split('\n') : [];
  return {
    ...outcome,
    // How long a host takes to answer is no matter of options.
    stderr: outcome.stderr.replaceAll(/^Waiting: .*\n/gm, ''),
    // In no order: some is asked at once.
    asked: [...new Set([...noted, ...ran])].sort(),
    cached: listing(cache).length,
    written: listing(out),
    pinned: readFileSync(inFolder('values.yaml'), 'utf8'),
  };
}

const outcomes = new Map<string, ReturnType<typeof outcomeOf>>();
/** The same for every option; what differs by itself would show nothing. */
async function outcomeWithout(line: string, flag: string) {
  const key = `${/^--(allow-http|no-color)$/.exec(flag)?.[0]} ${line}`;
  const known = outcomes.get(key);
  if (known !== undefined) return await known;
  const first = await outcomeOf(line, flag);
  // How often is asked in a second differs.
  if (!/ --(?:window|wait) /.test(line)) expect(await outcomeOf(line, flag)).toEqual(first);
  outcomes.set(key, Promise.resolve(first));
  return first;
}

/** The line with this option in place of the same, or at its end. */
function withOption(line: string, more: string): string {
  const parts = line.split(' ');
  const words = more.split(' ');
  const at = parts.indexOf(words[0] ?? '');
  return (at < 0 ? [...parts, ...words] : parts.toSpliced(at, words.length, ...words)).join(' ');
}

const declared = await declaredCommands();
const rows = rowsOf(
  table,
  declared.map(({ name }) => name),
);
/** A file that no command could read over. */
const settings = '--settings {folder}/faulty.yaml';
for (const { name, command } of declared) {
  if (!command.options.some(({ long }) => long === '--settings')) continue;
  const [line = '', own = []] = rows.get(name) ?? [];
  rows.set(name, [
    line,
    [...own, { line, more: settings }, { line: `${line} ${settings}`, more: '--no-settings' }],
  ]);
}

it('every option of every command is in the table', () => {
  const named = [...rows].flatMap(([name, [, of]]) => of.map(({ more }) => `${name} ${more.split(' ')[0]}`));
  const own = declared.flatMap(({ name, command }) =>
    command.options
      .map(({ long }) => long ?? '')
      .filter((flag) => !idle[name]?.includes(flag))
      .map((flag) => `${name} ${flag}`)
      .filter((option) => named.includes(option) || !elsewhere.some((flag) => option.endsWith(flag))),
  );
  expect([...new Set(named)].sort()).toEqual(own.sort());
  expect([...rows.keys()].sort()).toEqual(declared.map(({ name }) => name).sort());
});

describe.each([...rows].filter(([, [, of]]) => of.length > 0))('%s', (_, [, of]) => {
  it.each(of)('$more is handed on, with $line', async ({ line, more }) => {
    const flag = more.split(' ')[0] ?? '';
    const without = await outcomeWithout(line, flag);
    expect(await outcomeOf(withOption(line, more), flag)).not.toEqual(without);
  });
});

/** What settings say, and what they say without it: `$schema` alone decides nothing. */
interface SettingsRow {
  readonly key: string;
  readonly text: string;
  readonly line: string;
  readonly otherwise?: string;
}
const usual = `upgrade-plan ${span} --publisher-only`;
const settingsRows: readonly SettingsRow[] = [
  { key: 'instance', text: "instance: '{url}'", line: `upgrade-plan --to 2.127.0 ${index}` },
  {
    key: 'pins',
    text: "pins: ['values.yaml#image.tag']",
    line: `upgrade-bump --to 2.126.0 --check ${index}`,
  },
  {
    key: 'tagSuffix',
    text: 'tagSuffix: -x',
    line: `upgrade-bump --file {folder}/suffixed.yaml#image.tag --check ${index}`,
  },
  { key: 'to', text: 'to: 2.126.0', line: `upgrade-plan --from 2.125.0 ${index}` },
  {
    key: 'index',
    text: "index: '{url}/other.json'",
    line: 'upgrade-check --from 2.125.0 --to 2.127.0',
    otherwise: "index: '{url}/index.json'",
  },
  { key: 'deploy', text: 'deploy: helm', line: usual },
  { key: 'helm.release', text: 'helm: {release: bi}', line: `${usual} --deploy helm` },
  {
    key: 'helm.namespace',
    text: 'helm: {namespace: elsewhere}',
    line: `upgrade-preflight ${span} ${artifacts}`,
  },
  { key: 'helm.context', text: 'helm: {context: elsewhere}', line: `upgrade-preflight ${span} ${artifacts}` },
  { key: 'helm.values', text: 'helm: {values: [newer.yaml]}', line: `${usual} --deploy helm` },
  {
    key: 'compose.files',
    text: 'compose: {files: [compose.yaml]}',
    line: `upgrade-preflight ${span} ${artifacts}`,
  },
  {
    key: 'compose.envFiles',
    text: 'compose: {files: [compose.yaml], envFiles: [.env]}',
    line: `upgrade-preflight ${span} ${artifacts}`,
    otherwise: 'compose: {files: [compose.yaml]}',
  },
  { key: 'database', text: "database: '{pg}'", line: `upgrade-preflight ${span} ${artifacts}` },
  { key: 'facts', text: 'facts: {edition: enterprise}', line: `upgrade-check ${span}` },
  {
    key: 'minAge',
    text: 'minAge: 30m',
    line: `upgrade-check --from 2.125.0 --to recommended ${index} --publisher-only`,
  },
  { key: 'diskFree', text: 'diskFree: 1GiB', line: `upgrade-preflight ${span} ${artifacts} ${facts}` },
  {
    key: 'failOn',
    text: 'failOn: major',
    line: `upgrade-check --from 2.134.2 --to 3.0.0 --index {folder}/major.json`,
  },
  { key: 'rehearsal', text: 'rehearsal: facts.json', line: `upgrade-check ${span}` },
  { key: 'knownIssues', text: 'knownIssues: [ours.json]', line: `upgrade-check ${span}` },
  {
    key: 'accept',
    text: 'accept: [{issue: ai-prompt-table-in-core-migration, reason: why}]',
    line: `upgrade-check ${span}`,
  },
];

describe('settings', () => {
  const file = 'of-settings.yaml';
  const outcomeBy = async (text: string, line: string) => {
    const filled = text.replaceAll(/\{(url|pg)\}/g, (all, name) => words[name] ?? all);
    writeFileSync(inFolder(file), `${filled}\n`);
    const { stdout, stderr, ...rest } = await outcomeOf(`${line} --settings {folder}/${file}`, '--settings');
    // That it names the file shows nothing.
    const others = (written: string) => written.split('\n').filter((row) => !row.includes(file));
    return { ...rest, stdout: others(stdout), stderr: others(stderr) };
  };

  it.each(settingsRows)(
    '$key changes the outcome of $line',
    async ({ text, line, otherwise = '$schema: x' }) => {
      expect(await outcomeBy(text, line)).not.toEqual(await outcomeBy(otherwise, line));
    },
  );

  it('are all in the table, but what a change is not judged by (settings-base.test.ts)', () => {
    const keys = new Set(settingsRows.map(({ key }) => key.replace(/\..*/, '')));
    const all = Object.keys(settingsSchema.shape).filter((key) => key !== '$schema' && key !== 'ignore');
    expect([...keys].sort()).toEqual(all.sort());
  });
});
