import { spawn, spawnSync } from 'node:child_process';
import { LightspanError } from '../core/lightspan-error.js';
import type { Version } from '../core/version.js';
import { onInterrupt } from '../gather/files/write-file.js';
import { usualTimeoutMs } from '../gather/limits.js';
import type { ContainersPlace } from '../question/rehearsal.js';
import { type Dump, type RestoreRun, runRestore } from './dump.js';
import { standIns, variablesOfCopy } from './migrator.js';
import { isOrphan, ownLabel } from './owner.js';
import type { Place, PlaceRequest, RehearsalServer } from './place.js';
import type { Copy } from './prepare.js';
import { followLog, settingsOf, untilReady } from './server.js';
import { carriedBy, openSession } from './session.js';

/** Marks all that a rehearsal makes, with who made it. */
const label = 'lightspan.rehearsal';

/** The newest PostgreSQL whose image is known: its `pg_restore` reads the archives of all before it. */
const newestMajor = 18;

/** With the extensions that Lightdash asks for. */
const serverImageOf = (major: number) => `pgvector/pgvector:pg${major}`;

/** Containers of this machine's docker or podman: none has a network, a mount, or a port of this machine. */
export function openContainers(where: ContainersPlace, request: PlaceRequest): Place {
  const { env } = request;
  const program = where.program ?? findContainers(env);
  const owner = ownLabel();
  const containers = new Containers(program, owner, env);
  return {
    by: program,
    restore: (options, path) => containers.restore(options, path),
    removeLeftovers: () => containers.remove(isOrphan).map((id) => `container ${id}`),
    start: (dump) => startServer(containers, where, dump, request),
  };
}

/** The first that is there, and whose daemon answers. */
function findContainers(env: PlaceRequest['env']): 'docker' | 'podman' {
  const available = (['docker', 'podman'] as const).find((program) => {
    const { status } = spawnSync(program, ['version'], { env, stdio: 'ignore', timeout: usualTimeoutMs });
    return status === 0;
  });
  if (available !== undefined) return available;
  throw new LightspanError('unreadable-source', 'neither docker nor podman answers here', {
    hint: 'Or rehearse without containers: --postgres <folder> --migrate <command>.',
  });
}

/** The calls of the container program. */
class Containers {
  readonly program: 'docker' | 'podman';
  readonly #owner: string;
  readonly #env: PlaceRequest['env'];
  #made = 0;
  readonly #forget: () => void;

  constructor(program: 'docker' | 'podman', owner: string, env: PlaceRequest['env']) {
    this.program = program;
    this.#owner = owner;
    this.#env = env;
    this.#forget = onInterrupt(() => this.removeOwn());
  }

  /** What every container of a rehearsal is made with. */
  marks(name: string): readonly string[] {
    this.#made += 1;
    return ['--name', `lsr-${this.#owner}-${name}-${this.#made}`, '--label', `${label}=${this.#owner}`];
  }

  /** @throws {LightspanError} `unreadable-source` if it fails */
  run(words: readonly string[]): string {
    const { status, stdout, stderr, error } = spawnSync(this.program, words, {
      ...{ env: this.#env, encoding: 'utf8', maxBuffer: 16 * 1024 ** 2 },
    });
    if (status === 0) return stdout.trim();
    const reason = (error?.message ?? stderr).trim().split('\n').at(-1) ?? '';
    throw new LightspanError('unreadable-source', `${this.program} ${words[0]} failed: ${reason}`);
  }

  open(words: readonly string[]) {
    return spawn(this.program, words, { env: this.#env, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** The dump is copied into the container: a folder that is mounted would bring its owner and its labels with it. */
  restore(options: readonly string[], path: string): RestoreRun {
    const image = serverImageOf(newestMajor);
    const made = ['--network', 'none', '--user', 'root', '--entrypoint', 'pg_restore', image];
    const id = this.run(['create', ...this.marks('restore'), ...made, ...options, '/tmp/dump']);
    this.run(['cp', path, `${id}:/tmp/dump`]);
    const ran = runRestore([this.program, 'start', '--attach', id], this.#env);
    const remove = () => void spawnSync(this.program, ['rm', '--force', '--volumes', id], { env: this.#env });
    return {
      stdout: ran.stdout,
      ended: ran.ended.finally(remove),
      stop: () => {
        ran.stop();
        remove();
      },
    };
  }

  /** Removes the containers whose label is so, and tells which. */
  remove(isSo: (label: string) => boolean): readonly string[] {
    const format = `{{.ID}} {{.Label "${label}"}}`;
    const listed = this.run(['ps', '--all', '--filter', `label=${label}`, '--format', format]);
    const ids = listed.split('\n').flatMap((line) => {
      const [id, of] = line.split(' ');
      return id !== undefined && of !== undefined && isSo(of) ? [id] : [];
    });
    if (ids.length > 0) this.run(['rm', '--force', '--volumes', ...ids]);
    return ids;
  }

  removeOwn(): void {
    this.#forget();
    try {
      this.remove((of) => of === this.#owner);
    } catch {
      // The next start removes what could not be removed now.
    }
  }
}

async function startServer(
  containers: Containers,
  where: ContainersPlace,
  { fromMajor }: Dump,
  { env, suffix, full, variables }: PlaceRequest,
): Promise<RehearsalServer> {
  if (fromMajor === undefined && where.serverImage === undefined) {
    throw new LightspanError('unreadable-source', 'the dump does not say of which PostgreSQL it is', {
      hint: 'Name the image of its server: --server-image postgres:15.',
    });
  }
  const superuser = `lightspan_${suffix}`;
  const image = where.serverImage ?? serverImageOf(fromMajor ?? newestMajor);
  const settings = Object.entries(settingsOf(full)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const variablesOfServer = {
    POSTGRES_USER: superuser,
    POSTGRES_HOST_AUTH_METHOD: 'trust',
    POSTGRES_INITDB_ARGS: '--encoding=UTF8 --no-locale',
  };
  try {
    const server = containers.run([
      ...['run', '--detach', ...containers.marks('server'), '--network', 'none'],
      ...Object.entries(variablesOfServer).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      ...[image, 'postgres', ...settings, '-c', 'listen_addresses=127.0.0.1'],
    ]);
    const log = followLog(containers.open(['logs', '--follow', server]));
    const stream = () =>
      carriedBy(containers.open(['exec', '--interactive', server, 'bash', '-c', toLoopback]));
    const connect: RehearsalServer['connect'] = (role, database) => openSession({ stream }, role, database);
    await untilReady(() => connect(superuser, 'postgres'), log.failure);
    const version = containers.run(['exec', server, 'postgres', '--version']);
    return {
      ...{ superuser, connect, isIsolated: true, onLog: log.onLine, failure: log.failure },
      major: Number(/\(PostgreSQL\) (\d+)/.exec(version)?.[1] ?? fromMajor),
      migrator: (copy, release) => migratorOf(containers, { where, server, env, variables }, copy, release),
      imageOf: (release) => digestOf(containers, imageName(where, release)),
      remove: () => containers.removeOwn(),
    };
  } catch (error) {
    containers.removeOwn();
    throw error;
  }
}

/**
 * Carries a connection to the server, in bash, with which the images of PostgreSQL begin. Over the network of the
 * container: while it is being made, its server listens on the socket alone. It ends when the server ends it.
 */
const toLoopback = 'exec 3<>/dev/tcp/127.0.0.1/5432 4<&0 && { cat <&4 >&3 & exec cat <&3; }';

const imageName = ({ image, tagSuffix }: ContainersPlace, version: Version) =>
  `${image}:${version}${tagSuffix}`;

interface Migrates {
  readonly where: ContainersPlace;
  readonly server: string;
  readonly env: PlaceRequest['env'];
  readonly variables: readonly string[];
}

/** The image's own migrator, in the network of the server's container: its loopback is all that it reaches. */
function migratorOf(
  containers: Containers,
  { where, server, env, variables }: Migrates,
  copy: Copy,
  version: Version,
): ReturnType<RehearsalServer['migrator']> {
  const environment = { ...standIns, ...variablesOfCopy(copy, { host: '127.0.0.1', port: 5432 }) };
  const marks = containers.marks('migrator');
  const [, name = ''] = marks;
  return {
    command: [
      ...[containers.program, 'run', '--rm', ...marks, '--network', `container:${server}`],
      ...['--platform', 'linux/amd64', '--entrypoint', 'pnpm'],
      ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      // By name alone: a value would stand in the list of processes.
      ...variables.flatMap((key) => ['--env', key]),
      ...[imageName(where, version), '-F', 'backend', 'migrate-production'],
    ],
    env,
    stop: () =>
      void spawnSync(containers.program, ['rm', '--force', '--volumes', name], { env, stdio: 'ignore' }),
  };
}

function digestOf(containers: Containers, image: string): string | undefined {
  try {
    const format = '{{index .RepoDigests 0}}';
    return /sha256:[0-9a-f]{64}/.exec(containers.run(['image', 'inspect', '--format', format, image]))?.[0];
  } catch {
    // An image that was built here has none.
    return undefined;
  }
}
