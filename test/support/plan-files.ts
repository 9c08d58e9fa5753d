import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runCli } from './cli.js';
import { realIndexFile } from './real-index.js';
import { temporaryFolder } from './temporary-folder.js';

/** The files of one deployment, as people lay them: a base, and what production adds to it. */
export const files = {
  'base.yaml': 'image: {repository: lightdash/lightdash, tag: 1.111.0}\npostgresql: {enabled: true}\n',
  'prod.yaml': 'postgresql: {enabled: false}\nexternalDatabase: {host: pg.example.com}\n',
  'other.yaml': 'image: {repository: lightdash/lightdash, tag: 1.111.0}\n',
  'compose.yaml': `services:
  lightdash: {image: "lightdash/lightdash:1.111.0", environment: {PGHOST: db}}
  db: {image: "pgvector/pgvector:pg15", volumes: ["db-data:/var/lib/postgresql/data"]}
volumes: {db-data: {}}
`,
  'compose.prod.yaml': `services:
  lightdash: {environment: {PGHOST: "\${DATABASE_HOST}"}}
  worker: {image: "lightdash/lightdash:1.111.0", command: "node dist/scheduler.js"}
`,
  'prod.env': 'DATABASE_HOST=pg.example.com\n',
};

export function folderWith(more: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export async function plan(deploy: 'helm' | 'compose', ...argv: readonly string[]) {
  const { PATH = '' } = process.env;
  const version = argv.includes('--from-file') ? [] : ['--from', '1.111.0'];
  const options = ['--to', '1.115.0', '--index', realIndexFile, '--deploy', deploy, '--json'];
  const { code, stdout, stderr } = await runCli(['upgrade-plan', ...version, ...options, ...argv], {
    env: { PATH },
  });
  const answer = JSON.parse(stdout);
  const printed: readonly string[] = (answer.hops ?? []).flatMap((hop: Hop) => [
    hop.block,
    ...hop.steps.flatMap(({ commands, notes }) => [...commands, ...notes]),
  ]);
  return { code, stderr, error: answer.error?.message, block: answer.hops?.[0]?.block ?? '', printed };
}
interface Hop {
  readonly block: string;
  readonly steps: readonly { readonly commands: readonly string[]; readonly notes: readonly string[] }[];
}

/** Every call of helm and docker compose that deploys, stops or reads, with the files that it names: from the root, or by a variable. */
export function callsIn(
  printed: readonly string[],
): readonly { readonly call: string; readonly named: string[] }[] {
  const text = printed
    .join('\n')
    .replaceAll(/ *\\\n */g, ' ')
    .replaceAll(`'\\''`, `'`);
  const calls =
    text.match(/helm(?:_here)? "\$verb" .*|docker compose (?:--\S+ \S+ )*(?:"\$@"|logs|start) ?.*/g) ?? [];
  return calls.map((call) => ({
    // As a person runs it, without what the function adds.
    call: call.replace(/^helm_here /, 'helm '),
    named: [...call.matchAll(/--(?:values|file|env-file) (\S+)/g)].map(([, name = '']) =>
      name.startsWith('"$') ? name : resolve(name),
    ),
  }));
}
