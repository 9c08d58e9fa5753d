import { LightspanError } from '../errors.js';
import type { FactName, FactValue } from '../facts/fact-names.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { type FactKey, factKeysOf, needs } from '../facts/needs.js';
import { factsText, parseFactsFile } from '../facts/read-facts.js';
import { printable } from '../words/printable.js';
import type { CommandContext } from './context.js';
import { asksDeployment, type DeploymentOptions } from './deployment-options.js';
import { alsoStating, type ReadFacts, readFactsFile } from './facts-file.js';
import type { SourceOptions } from './options.js';
import { writeWhole } from './text-sink.js';

export interface FactsOptions {
  /** A URL, `env`, or the name of an environment variable with the URL. */
  readonly database?: string;
  readonly facts?: string;
  readonly factsOut?: string;
  readonly migratingRole?: string;
  readonly measure?: boolean;
  readonly fact?: ReadonlyMap<FactName, FactValue>;
}

/**
 * The facts that the command line names, with what it states itself.
 *
 * @throws {LightspanError} `usage`; if they are unavailable; `too-old`
 * @throws {ReleaseSafetyError} if they cannot be trusted
 */
export async function readFacts(
  options: FactsOptions & DeploymentOptions & Pick<SourceOptions, 'maxAge' | 'timeout' | 'offline'>,
  context: CommandContext,
): Promise<ReadFacts> {
  requireOneSource(options);
  const deployment = asksDeployment(options);
  const read = alsoStating(await readAll(options, deployment, context), options.fact);
  if (options.factsOut !== undefined) await writeFacts(options.factsOut, read.file, context);
  return read;
}

/**
 * Requires that the facts of a database come from one source, and that a server is used only if that is allowed.
 *
 * @throws {LightspanError} `usage`
 */
export function requireOneSource(
  options: FactsOptions & DeploymentOptions & Pick<SourceOptions, 'offline'>,
): void {
  const { database, facts, factsOut, migratingRole, offline } = options;
  const deployment = asksDeployment(options);
  if ((database === undefined) === (facts === undefined) && !(deployment && database === undefined)) {
    const how = database === undefined ? 'there are no facts to judge' : 'facts are given in two ways';
    throw new LightspanError('usage', how, {
      hint: 'Give --database <url>, or --facts <file>; --sql prints the script that collects such a file. For a deployment: --kubernetes, or --manifests <file>.',
    });
  }
  if (database !== undefined && offline === true) {
    throw new LightspanError('usage', '--database contacts a server, and --offline contacts none', {
      hint: 'Judge facts collected earlier, with --facts <file>.',
    });
  }
  if (facts !== undefined && factsOut !== undefined && !deployment) {
    throw new LightspanError('usage', '--facts-out writes what --database sees, but --database is not given');
  }
  if (database === undefined && migratingRole !== undefined) {
    throw new LightspanError(
      'usage',
      '--migrating-role says whose rights --database checks, but --database is not given',
      {
        hint: 'Facts in a file are about one role: collect them anew, with --database or the script of --sql.',
      },
    );
  }
  if (facts === '-' && [options.manifests, options.values, options.compose].flat().includes('-')) {
    throw new LightspanError('usage', 'standard input is named twice', { hint: 'It can be read only once.' });
  }
}

async function readAll(
  options: Parameters<typeof readFacts>[0],
  deployment: boolean,
  context: CommandContext,
): Promise<ReadFacts> {
  const { database, facts } = options;
  const read =
    database !== undefined
      ? await look(database, options, context)
      : facts === undefined
        ? undefined
        : await readFactsFile(facts, options, context);
  if (read !== undefined && !deployment) return read;
  return await addDeployment(read, options, context);
}

async function look(
  database: string,
  { timeout: timeoutMs, migratingRole, measure }: FactsOptions & Pick<SourceOptions, 'timeout'>,
  { env }: CommandContext,
): Promise<ReadFacts> {
  const { collectFacts } = await import('../sources/database/collect-facts.js');
  const file = await collectFacts({
    database: /^postgres(?:ql)?:/i.test(database) ? database : (env[database] ?? database),
    env,
    timeoutMs,
    migratingRole,
    measure,
  });
  const name = file.facts.database?.status === 'seen' ? ` ${file.facts.database.value.name}` : '';
  return { file, source: `the database${name}`, ageMs: 0 };
}

async function writeFacts(path: string, file: FactsFile, { stderr }: CommandContext): Promise<void> {
  await writeWhole(path, factsText(file));
  stderr.write(`Facts written to ${printable(path)}\n`);
}

/**
 * Adds the facts of a deployment to those that were already read, which may be none. A fact from two sources is
 * refused, because either may be right.
 *
 * @throws {LightspanError} `usage`, and the errors of the collection
 */
async function addDeployment(
  read: ReadFacts | undefined,
  options: DeploymentOptions & Pick<SourceOptions, 'timeout'>,
  { stdin, env, stderr, now }: CommandContext,
): Promise<ReadFacts> {
  const { collectDeployment } = await import('../sources/deployment/collect.js');
  const { facts, sources } = await collectDeployment(options, {
    stdin,
    env,
    now,
    timeoutMs: options.timeout,
    onCluster: ({ context, namespace }) => {
      const where = context === null ? 'without a context' : `context ${printable(context)}`;
      const within = namespace === null ? '' : `, namespace ${printable(namespace)}`;
      stderr.write(
        `Asking kubectl, ${where}${within}: get alone, and ${options.secretKeys === true ? 'of Secrets the keys' : 'no Secrets'}\n`,
      );
    },
  });
  const { file, source, ageMs } = read ?? {
    file: nothingOfDatabase(now()),
    source: undefined,
    ageMs: 0,
  };
  for (const key of factKeysOf('deployment')) {
    if (isTold(file.facts[key]) && isTold(facts[key])) {
      throw new LightspanError(
        'usage',
        `${source} describes ${needs[key].label}, and so does ${sources.join(', ')}`,
        {
          hint: 'Collect the facts again without it, or leave the other source out.',
        },
      );
    }
  }
  const added = Object.entries(facts).filter(([key]) => !isTold(file.facts[key as FactKey]));
  const all = { ...file.facts, ...Object.fromEntries(added) };
  return {
    file: parseFactsFile(factsText({ ...file, facts: all })),
    source: [...(source === undefined ? [] : [source]), ...sources].join(', '),
    ageMs,
  };
}

function isTold(fact: { readonly status: string } | undefined): boolean {
  return fact !== undefined && fact.status !== 'not-asked';
}

/** A facts file of an instance whose database was not read. */
function nothingOfDatabase(now: Date): FactsFile {
  const facts = factKeysOf('database').map(
    (name) => [name, { status: 'not-asked', source: 'database' }] as const,
  );
  return { schemaVersion: '1', collectedAt: now.toISOString(), facts: Object.fromEntries(facts) };
}
