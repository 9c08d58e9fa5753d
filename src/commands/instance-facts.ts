import { LightspanError } from '../errors.js';
import type { FactName, FactValue } from '../facts/fact-names.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { factsText, withStated } from '../facts/read-facts.js';
import { printable } from '../render/printable.js';
import type { CommandContext } from './context.js';
import { asksDeployment, type DeploymentOptions } from './deployment-options.js';
import { type ReadFacts, readFactsFile } from './facts-file.js';
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
  const read = await readAll(options, deployment, context);
  const file = withStated(read.file, options.fact ?? new Map());
  if (options.factsOut !== undefined) await writeFacts(options.factsOut, file, context);
  return { ...read, file };
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
  const { addDeployment } = await import('./deployment-facts.js');
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
