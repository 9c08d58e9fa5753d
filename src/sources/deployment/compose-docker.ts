import { execFile } from 'node:child_process';
import { relative } from 'node:path';
import * as z from 'zod/mini';
import { LightspanError } from '../../errors.js';
import {
  bytesOf,
  type ComposeProject,
  type ComposeService,
  type ComposeVariable,
  portOf,
  replacementBySwarm,
  secondsOf,
} from './compose-project.js';

/** The input of docker compose. */
export interface ComposeRequest {
  /** In the order in which compose merges them. */
  readonly files: readonly string[];
  /** The files of `--env-file`, in place of `.env`. */
  readonly envFiles: readonly string[];
  /** The folder of the first file. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The command of docker compose on this machine; undefined if none can print JSON. */
export async function findDockerCompose({ env }: ComposeRequest): Promise<readonly string[] | undefined> {
  for (const command of [['docker', 'compose'], ['docker-compose']]) {
    const { exitCode, stdout } = await run([...command, 'version', '--short'], env);
    if (exitCode === 0 && /^v?(?:[2-9]|\d\d)\.\d/.test(stdout.trim())) return command;
  }
  return undefined;
}

/**
 * The project as docker compose itself reads it. It contacts no server. Its output has the values of all variables, and
 * so may its messages: neither is shown.
 *
 * @throws {LightspanError} `unreadable-source` if it refuses the files
 */
export async function askDockerCompose(
  command: readonly string[],
  request: ComposeRequest,
): Promise<ComposeProject> {
  const { files, envFiles, env } = request;
  const config = [
    ...command,
    ...files.flatMap((file) => ['--file', file]),
    ...envFiles.flatMap((file) => ['--env-file', file]),
    // Without this, it omits services with a profile: a worker that is started with one still belongs to the project.
    ...['--profile', '*'],
    'config',
    '--format',
    'json',
  ];
  const shown = config.map((word) => (/[\s*]/.test(word) ? JSON.stringify(word) : word)).join(' ');
  const { exitCode, stdout } = await run(config, env);
  const refuse = (what: string) =>
    new LightspanError('unreadable-source', `${what}: ${shown}`, {
      hint: 'Run it to see what it says: that is not shown here, because it may contain values of your variables.',
    });
  if (exitCode !== 0) throw refuse('docker compose cannot read the files');
  const project = parsed(projectSchema, stdout);
  if (project === undefined) throw refuse('docker compose prints something that this lightspan cannot read');
  // As written: what a service sets itself, and which files it names. If not available, all variables count as set
  // there.
  const written = await run([...config, '--no-interpolate'], env);
  const asWritten = written.exitCode === 0 ? parsed(writtenSchema, written.stdout) : undefined;
  return {
    name: project.name,
    services: Object.entries(project.services).map(([name, service]) =>
      serviceOf(name, service, { written: asWritten?.services[name], request, refuse }),
    ),
  };
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const nullish = <T extends z.core.$ZodType>(schema: T) => z.nullish(schema);

const serviceSchema = z.looseObject({
  image: nullish(z.string()),
  build: z.optional(z.unknown()),
  pull_policy: nullish(z.string()),
  entrypoint: nullish(z.array(z.string())),
  command: nullish(z.array(z.string())),
  environment: nullish(z.record(z.string(), z.nullable(scalar))),
  ports: nullish(
    z.array(
      z.looseObject({
        host_ip: nullish(z.string()),
        published: nullish(scalar),
        target: scalar,
        protocol: nullish(z.string()),
      }),
    ),
  ),
  restart: nullish(z.string()),
  scale: nullish(z.number()),
  mem_limit: nullish(scalar),
  stop_grace_period: nullish(z.string()),
  profiles: nullish(z.array(z.string())),
  deploy: nullish(
    z.looseObject({
      mode: nullish(z.string()),
      replicas: nullish(z.number()),
      update_config: nullish(z.looseObject({ order: nullish(z.string()) })),
      rollback_config: nullish(z.looseObject({})),
      resources: nullish(z.looseObject({ limits: nullish(z.looseObject({ memory: nullish(scalar) })) })),
    }),
  ),
});

const projectSchema = z.looseObject({ name: z.string(), services: z.record(z.string(), serviceSchema) });

const writtenSchema = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: nullish(z.union([z.record(z.string(), z.unknown()), z.array(z.string())])),
      env_file: nullish(z.array(z.union([z.string(), z.looseObject({ path: z.string() })]))),
    }),
  ),
});

type WrittenService = z.infer<typeof writtenSchema>['services'][string];

function parsed<T extends z.core.$ZodType>(schema: T, text: string): z.output<T> | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  return z.safeParse(schema, json).data;
}

function serviceOf(
  name: string,
  service: z.infer<typeof serviceSchema>,
  {
    written,
    request: { folder, env },
    refuse,
  }: {
    readonly written: WrittenService | undefined;
    readonly request: ComposeRequest;
    readonly refuse: (what: string) => LightspanError;
  },
): ComposeService {
  const profiles = service.profiles ?? [];
  const switchedOn = (env.COMPOSE_PROFILES ?? '').split(',');
  const { environment, deploy, ports, stop_grace_period: grace } = service;
  const memory = deploy?.resources?.limits?.memory ?? service.mem_limit ?? undefined;
  const told = <Known>(known: Known | undefined, given: unknown): Known | undefined => {
    if (given !== undefined && given !== null && known === undefined) {
      throw refuse('docker compose prints something that this lightspan cannot read');
    }
    return known;
  };
  return {
    name,
    image: plain(service.image),
    pullPolicy: plain(service.pull_policy),
    entrypoint: service.entrypoint?.map(unescaped),
    command: service.command?.map(unescaped),
    variables: Object.entries(environment ?? {})
      // A variable that is named without a value and set nowhere is not passed on.
      .flatMap(([variable, value]) =>
        value === null
          ? []
          : [{ name: variable, ...originOf(variable, written, folder), empty: value === '' }],
      ),
    ports: (ports ?? []).map(({ host_ip, published, target, protocol }) =>
      portOf({
        hostIp: host_ip ?? undefined,
        published: published === null || published === undefined ? undefined : String(published),
        target: String(target),
        protocol: protocol ?? undefined,
      }),
    ),
    restart: plain(service.restart),
    replicas: deploy?.replicas ?? service.scale ?? undefined,
    memoryLimitBytes: told(memory === undefined ? undefined : bytesOf(String(memory)), memory),
    ofSwarm: replacementBySwarm({
      mode: deploy?.mode,
      order: deploy?.update_config?.order ?? undefined,
      isConfigured: (deploy?.update_config ?? deploy?.rollback_config ?? undefined) !== undefined,
    }),
    graceSeconds: told(typeof grace === 'string' ? secondsOf(grace) : undefined, grace),
    heldBack: profiles.length > 0 && !['*', ...profiles].some((profile) => switchedOn.includes(profile)),
  };
}

/** Reverses the escaping in its output, which is meant to be read again: a dollar is doubled. */
function unescaped(text: string): string {
  return text.replaceAll('$$', '$');
}

function plain(text: string | null | undefined): string | undefined {
  return text === null || text === undefined ? undefined : unescaped(text);
}

function originOf(
  variable: string,
  written: WrittenService | undefined,
  folder: string,
): Pick<ComposeVariable, 'origin' | 'file'> {
  const { environment, env_file: files } = written ?? {};
  const own = Array.isArray(environment)
    ? environment.map((item) => item.split('=', 1)[0])
    : Object.keys(environment ?? {});
  const [file, second] = (files ?? []).map((one) => (typeof one === 'string' ? one : one.path));
  if (file === undefined || own.includes(variable)) return { origin: 'literal', file: null };
  // With several files it does not say which one, nor if the name of the file contains a variable.
  const told = second === undefined && !file.includes('$');
  return { origin: 'env-file', file: told ? relative(folder, file) : null };
}

interface Outcome {
  /** Undefined if it could not be run, or did not end by itself. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
}

/** Without a shell. Remote files that a file includes are not fetched. */
function run([program = '', ...args]: readonly string[], env: ComposeRequest['env']): Promise<Outcome> {
  return new Promise((done) => {
    execFile(
      program,
      args,
      {
        env: {
          ...env,
          COMPOSE_EXPERIMENTAL_GIT_REMOTE: 'false',
          COMPOSE_EXPERIMENTAL_OCI_REMOTE: 'false',
        },
        timeout: 30_000,
        maxBuffer: 16 * 1024 ** 2,
        windowsHide: true,
      },
      (error, stdout) => {
        const failed = typeof error?.code === 'number' ? error.code : undefined;
        done({ exitCode: error === null ? 0 : failed, stdout });
      },
    );
  });
}
