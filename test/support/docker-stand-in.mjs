#!/usr/bin/env node
// Stands in for docker and podman: it takes exactly the arguments that a rehearsal may give, and runs real programs of
// PostgreSQL and a real migrator in place of containers. What it was asked stands in $STAND_IN/asked.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const home = process.env.STAND_IN;
const bin = process.env.STAND_IN_POSTGRES;
const words = process.argv.slice(2);
appendFileSync(join(home, 'asked'), `${JSON.stringify(words)}\n`);

function refuse(why) {
  process.stderr.write(`stand-in: ${why}: ${words.join(' ')}\n`);
  process.exit(125);
}

const label = /^lightspan\.rehearsal=[0-9a-f]{8}-\d+-\w+$/;

/** Takes options off the front; each has a form that its value must have. */
function take(args, forms) {
  const taken = {};
  for (;;) {
    const [name] = args;
    const form = forms[name];
    if (form === undefined) return { taken, rest: args };
    if (form === true) {
      taken[name] = true;
      args = args.slice(1);
      continue;
    }
    if (!form.test(args[1] ?? '')) refuse(`${name} ${args[1]}`);
    taken[name] = [...(taken[name] ?? []), args[1]];
    args = args.slice(2);
  }
}

const marks = { '--name': /^lsr-[0-9a-f]{8}-\d+-\w+-(?:restore|server|migrator)-\d+$/, '--label': label };
const folderOf = (id) => join(home, 'containers', id);
const kept = (id, file) => readFileSync(join(folderOf(id), file), 'utf8');

function make(name, mark, more = {}) {
  mkdirSync(folderOf(name), { recursive: true });
  writeFileSync(join(folderOf(name), 'label'), mark);
  for (const [file, text] of Object.entries(more)) writeFileSync(join(folderOf(name), file), text);
}

function remove(id) {
  if (!existsSync(folderOf(id))) return;
  if (existsSync(join(folderOf(id), 'pid'))) {
    try {
      process.kill(Number(kept(id, 'pid')), 'SIGQUIT');
    } catch {}
  }
  removeFolder(folderOf(id));
}

/** The server that ends there still writes, and Node and Bun do not try again alike. */
function removeFolder(folder, triesLeft = 60) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (triesLeft === 0) throw error;
  }
  if (!existsSync(folder)) return;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  removeFolder(folder, triesLeft - 1);
}

const asPostgres = process.getuid() === 0 ? ['setpriv', '--reuid=postgres', '--clear-groups', '--'] : [];

function startServer(name, mark, variables, settings) {
  make(name, mark);
  const folder = folderOf(name);
  chmodSync(folder, 0o777);
  const data = join(folder, 'data');
  const [first, ...more] = [
    ...asPostgres,
    join(bin, 'initdb'),
    '-D',
    data,
    '-U',
    variables.POSTGRES_USER,
    '-A',
    variables.POSTGRES_HOST_AUTH_METHOD,
    ...variables.POSTGRES_INITDB_ARGS.split(' '),
    '--no-sync',
  ];
  execFileSync(first, more, { stdio: 'ignore', cwd: '/' });
  const port = 20000 + Math.floor(Math.random() * 20000);
  const log = join(folder, 'log');
  const [program, ...rest] = [
    ...asPostgres,
    join(bin, 'postgres'),
    '-D',
    data,
    ...settings,
    '-c',
    `port=${port}`,
    '-c',
    `unix_socket_directories=${folder}`,
  ];
  const child = spawn('sh', ['-c', 'log=$1; shift; exec "$@" 2> "$log"', 'sh', log, program, ...rest], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
  });
  child.unref();
  writeFileSync(join(folder, 'pid'), String(child.pid));
  writeFileSync(join(folder, 'port'), String(port));
  process.stdout.write(`${name}\n`);
}

const serverForms = {
  ...marks,
  '--network': /^none$/,
  '--env':
    /^POSTGRES_(?:USER=lightspan_[0-9a-f]{8}|HOST_AUTH_METHOD=trust|INITDB_ARGS=--encoding=UTF8 --no-locale)$/,
};
const migratorForms = {
  ...marks,
  '--network': /^container:lsr-\S+-server-\d+$/,
  '--platform': /^linux\/amd64$/,
  '--entrypoint': /^pnpm$/,
  '--env': /^(?:[A-Z_0-9]+=.*|LICENCE)$/,
  '--rm': true,
};
const createForms = { ...marks, '--network': /^none$/, '--user': /^root$/, '--entrypoint': /^pg_restore$/ };

const commands = {
  version: (args) => (args.length === 0 ? 0 : refuse('arguments')),
  create: (args) => {
    const { taken, rest } = take(args, createForms);
    if (rest[0] !== 'pgvector/pgvector:pg18' || rest.at(-1) !== '/tmp/dump') refuse('image');
    make(taken['--name'][0], taken['--label'][0], { options: JSON.stringify(rest.slice(1, -1)) });
    process.stdout.write(`${taken['--name'][0]}\n`);
  },
  cp: ([path, to, ...more]) => {
    const [, id] = /^(\S+):\/tmp\/dump$/.exec(to) ?? refuse('target');
    if (more.length > 0) refuse('arguments');
    cpSync(path, join(folderOf(id), 'dump'), { recursive: true });
  },
  start: ([attach, id, ...more]) => {
    if (attach !== '--attach' || more.length > 0) refuse('arguments');
    const { status } = spawnSync(
      join(bin, 'pg_restore'),
      [...JSON.parse(kept(id, 'options')), join(folderOf(id), 'dump')],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    process.exitCode = status;
  },
  run: (args) => {
    if (args[0] === '--detach') {
      const { taken, rest } = take(args.slice(1), serverForms);
      const [image, program, ...settings] = rest;
      if (!/^pgvector\/pgvector:pg15$|^postgres:15$/.test(image) || program !== 'postgres') refuse('image');
      if (settings.some((word, i) => (i % 2 === 0 ? word !== '-c' : !/^\w+=/.test(word)))) refuse('settings');
      const variables = Object.fromEntries(taken['--env'].map((pair) => pair.split(/=(.*)/s)));
      return startServer(taken['--name'][0], taken['--label'][0], variables, settings);
    }
    const { taken, rest } = take(args, migratorForms);
    const [image, ...command] = rest;
    const [, version] = /^lightdash\/lightdash:(\d+\.\d+\.\d+)$/.exec(image) ?? refuse('image');
    if (command.join(' ') !== '-F backend migrate-production') refuse('command');
    const server = taken['--network'][0].slice('container:'.length);
    const given = Object.fromEntries(
      taken['--env'].map((pair) => (pair.includes('=') ? pair.split(/=(.*)/s) : [pair, process.env[pair]])),
    );
    make(taken['--name'][0], taken['--label'][0]);
    const port = kept(server, 'port');
    const { status, signal } = spawnSync(
      'sh',
      ['-c', process.env.STAND_IN_MIGRATE.replaceAll('{version}', version)],
      {
        stdio: 'inherit',
        env: { PATH: process.env.PATH, ...given, PGPORT: port },
      },
    );
    remove(taken['--name'][0]);
    process.exitCode = status ?? (signal === null ? 125 : 137);
  },
  exec: (args) => {
    const interactive = args[0] === '--interactive';
    const [id, program, ...rest] = interactive ? args.slice(1) : args;
    if (!interactive) {
      if (program !== 'postgres' || rest.join(' ') !== '--version') refuse('program');
      spawnSync(join(bin, 'postgres'), rest, { stdio: 'inherit' });
      return;
    }
    const carries = 'exec 3<>/dev/tcp/127.0.0.1/5432 4<&0 && { cat <&4 >&3 & exec cat <&3; }';
    if (program !== 'bash' || rest.length !== 2 || rest[0] !== '-c' || rest[1] !== carries) refuse('program');
    const child = spawn('bash', ['-c', carries.replace('5432', kept(id, 'port'))], { stdio: 'inherit' });
    child.on('exit', (code) => {
      process.exitCode = code ?? 1;
    });
  },
  logs: ([follow, id, ...more]) => {
    if (follow !== '--follow' || more.length > 0) refuse('arguments');
    const child = spawn(
      'sh',
      ['-c', `exec tail -n +1 -F --pid=${kept(id, 'pid')} '${join(folderOf(id), 'log')}'`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    // A daemon may be busy, or far away.
    const late = Number(process.env.STAND_IN_LOG_MS ?? 0);
    child.stdout.on('data', (chunk) => setTimeout(() => process.stderr.write(chunk), late));
    child.on('exit', () => {
      process.exitCode = 0;
    });
  },
  ps: (args) => {
    const all = '--all --filter label=lightspan.rehearsal --format {{.ID}} {{.Label "lightspan.rehearsal"}}';
    if (args.join(' ') !== all) refuse('arguments');
    const ids = existsSync(join(home, 'containers')) ? readdirSync(join(home, 'containers')) : [];
    for (const id of ids) {
      process.stdout.write(`${id} ${kept(id, 'label').split('=')[1]}\n`);
    }
  },
  rm: ([force, volumes, ...ids]) => {
    if (force !== '--force' || volumes !== '--volumes' || ids.length === 0) refuse('arguments');
    for (const id of ids) remove(id);
  },
  image: (args) => {
    const [, , , image] = args;
    if (args.length !== 4 || args.slice(0, 3).join(' ') !== 'inspect --format {{index .RepoDigests 0}}')
      refuse('arguments');
    process.stdout.write(`${image.split(':')[0]}@sha256:${'0'.repeat(64)}\n`);
  },
};
const [name, ...rest] = words;
(commands[name] ?? (() => refuse('command')))(rest);
