import { chmodSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeUnderTest } from '../support/node-under-test.js';
import type { Cluster } from '../support/postgres.js';
import { findProgram } from '../support/programs.js';
import {
  dumpOf,
  instance,
  programsOfCopies as postgres,
  rehearse,
  startSource,
  writeMigrator,
  writeReleases,
} from '../support/rehearsal.js';
import { folderOfAll } from '../support/temporary-folder.js';

/** Machines on which something is not as it should be: a clear answer, and nothing left. */

const name = '20260901000000_one';
const yes = 'yes: the only migration of 1 hop applies (dry: no times)';
let source: Cluster;
let dump: string;
let argv: readonly string[];
beforeAll(async () => {
  source = await startSource();
  source.database('bi', ...instance);
  dump = dumpOf(source, 'bi');
  const index = await writeReleases({ '2.1.0': [name] });
  argv = [
    '--to',
    '2.1.0',
    '--index',
    index,
    '--migrate',
    writeMigrator({ '2.1.0': { [name]: { up: 'select 1' } } }),
  ];
});
afterAll(() => source.stop());

const here = (file: string) => ['--dump', file, '--postgres', postgres];

it('takes folders and files with spaces and quotes in their names', async () => {
  const folder = join(folderOfAll(), `it's "my" tmp`);
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const file = join(folder, 'nightly dump');
  cpSync(dump, file);
  const { answer, stderr } = await rehearse([...argv, ...here(file)], {}, folder);
  expect([answer, stderr, readdirSync(folder)]).toEqual([yes, '', [basename(file)]]);
});

it.each([
  ['not there', (folder: string) => join(folder, 'none'), 'there is no such folder'],
  [
    'a file',
    (folder: string) => {
      writeFileSync(join(folder, 'file'), '');
      return join(folder, 'file');
    },
    'a part of its path is a file, not a folder',
  ],
  [
    'too long for a socket',
    (folder: string) => {
      const long = join(folder, 'x'.repeat(90));
      mkdirSync(long);
      return long;
    },
    'its path is too long for a socket, which may have 103 bytes',
  ],
])('says that TMPDIR is %s', async (_, make, why) => {
  const TMPDIR = make(folderOfAll());
  const { code, stderr } = await rehearse([...argv, ...here(dump)], { env: { TMPDIR } });
  expect([code, stderr]).toEqual([
    3,
    `lightspan: no copy can be made in ${TMPDIR}: ${why}\nTMPDIR names the folder in which it is made.\n`,
  ]);
});

it('says that there is no PostgreSQL', async () => {
  const { code, stderr } = await rehearse([...argv, '--dump', dump], { env: { PATH: '/nowhere' } });
  expect([code, stderr]).toEqual([
    3,
    'lightspan: postgres is not in the PATH\nName the folder of the programs: --postgres /usr/lib/postgresql/15/bin.\n',
  ]);
});

it('needs no program beside those of PostgreSQL, and says that the network is not shut off', async () => {
  const PATH = folderOfAll();
  for (const program of ['id', 'sh']) symlinkSync(findProgram(program) ?? '', join(PATH, program));
  const migrate = argv.at(-1)?.replace(/^\S+/, nodeUnderTest) ?? '';
  const { answer, stdout } = await rehearse([...argv.slice(0, -1), migrate, ...here(dump)], {
    env: { PATH },
  });
  expect([answer, stdout]).toEqual([
    yes,
    expect.stringContaining('its network could not be shut off here: unshare is not there, or not allowed'),
  ]);
});

it.each(['--format=custom', '--format=directory', '--format=plain'])(
  'knows nothing of a dump that goes away while it is read: %s',
  async (form) => {
    const gone = dumpOf(source, 'bi', [form]);
    const folder = folderOfAll();
    chmodSync(folder, 0o755);
    const programs: readonly (readonly [string, string])[] = [
      ['postgres', `exec '${postgres}/postgres' "$@"`],
      // The last that is started before the dump is restored.
      ['initdb', `rm -r '${gone}'; exec '${postgres}/initdb' "$@"`],
      ['pg_restore', `exec '${findProgram('pg_restore')}' "$@"`],
    ];
    for (const [program, text] of programs) {
      writeFileSync(join(folder, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }
    for (const path of [gone, join(gone, '..')]) chmodSync(path, 0o777);
    const { code, stderr, left } = await rehearse([...argv, '--dump', gone, '--postgres', folder]);
    expect([code, stderr, left]).toEqual([
      3,
      `lightspan: cannot read the dump ${gone}: there is no such file\n`,
      [],
    ]);
  },
);

it.each([
  [
    'is killed while it restores',
    '[ "$1" = --list ] || kill -9 $$',
    'pg_restore cannot read the dump: it ended with SIGKILL',
  ],
  ['is killed while it lists', 'kill -9 $$', 'pg_restore cannot read the dump: it ended with SIGKILL'],
  [
    'lacks a library',
    'echo "pg_restore: error while loading shared libraries: libpq.so.5" >&2; exit 127',
    'libpq.so.5',
  ],
  [
    'cannot read a disk',
    'echo "pg_restore: error: could not read from input file: Input/output error" >&2; exit 1',
    'Input/output error',
  ],
])('knows nothing of a dump if pg_restore %s', async (_, what, why) => {
  const folder = folderOfAll();
  for (const program of ['postgres', 'initdb']) symlinkSync(join(postgres, program), join(folder, program));
  const script = `#!/bin/sh\n${what}\nexec '${findProgram('pg_restore')}' "$@"\n`;
  writeFileSync(join(folder, 'pg_restore'), script, { mode: 0o755 });
  const { code, stderr, left } = await rehearse([...argv, '--dump', dump, '--postgres', folder]);
  expect([code, stderr, left]).toEqual([3, expect.stringContaining(why), []]);
});
