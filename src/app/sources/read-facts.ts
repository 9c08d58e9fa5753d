import { LightspanError } from '../../core/lightspan-error.js';
import { nameOfInput } from '../../core/text/name-of-input.js';
import { printable } from '../../core/text/printable.js';
import { type CommandContext, whileWaiting } from '../../door/context.js';
import { writeWhole } from '../../door/text-sink.js';
import { readInputText } from '../../gather/files/read-file.js';
import { oldFactsMs } from '../../gather/limits.js';
import type { FactName, FactValue } from '../../instance/facts/fact-names.js';
import type { FactsFile, UsedFacts } from '../../instance/facts/facts-schema.js';
import { factKeysOf, needs } from '../../instance/facts/needs.js';
import { factsText, parseFactsFile, readDatedFacts, withStated } from '../../instance/facts/read-facts.js';
import type { DatabaseQuestion, DeploymentSources, FactsQuestion } from '../../question/facts.js';
import { renderNotice } from '../../words/evidence/notices.js';

export interface ReadFacts {
  readonly file: FactsFile;
  /** Where it came from, without a password. */
  readonly source: string;
  /** The age of the oldest fact. */
  readonly ageMs: number;
  /** ISO 8601: what changes by the hour does not count if it was seen before; absent where all was seen now. */
  readonly freshFrom?: string | undefined;
}

export function usedFacts({ file, source, ageMs }: ReadFacts): UsedFacts {
  return { source, collectedAt: file.collectedAt, ageMs };
}

export function alsoStating(
  read: ReadFacts,
  fact: ReadonlyMap<FactName, FactValue> = new Map(),
  { now }: Pick<CommandContext, 'now'>,
): ReadFacts {
  return { ...read, file: withStated(read.file, fact, now()) };
}

export async function readFacts(question: FactsQuestion, context: CommandContext): Promise<ReadFacts> {
  const { database, file, deployment, maxAgeMs, timeoutMs, out } = question;
  let read: ReadFacts | undefined;
  if (database !== undefined) {
    read = await whileWaiting(context, 'Reading the database', () =>
      readDatabase(database, timeoutMs, context),
    ).catch((error: unknown) => throwWithService(error, deployment, context));
  } else if (file !== undefined) read = await readFactsFile(file, maxAgeMs, context);
  if (deployment !== undefined) {
    const before = read;
    read = await whileWaiting(context, 'Reading the deployment', (clear) =>
      addDeployment(before, deployment, timeoutMs, context, clear),
    );
  }
  if (read === undefined) {
    throw new LightspanError('usage', 'there are no facts to judge', {
      hint:
        'Pass --database <url> or --facts <file>; --sql prints a script that collects such a file. For a ' +
        'deployment: --kubernetes or --manifests <file>.',
    });
  }
  const all = alsoStating(read, question.stated, context);
  if (out !== undefined) {
    await writeWhole(out, factsText(all.file));
    context.stderr.write(`Facts written to ${printable(out)}\n`);
  }
  return all;
}

/**
 * Throws the error again; where the database did not answer and is a service of the compose files, which may publish no
 * port, with the line that collects the facts inside that service.
 */
async function throwWithService(
  error: unknown,
  deployment: DeploymentSources | undefined,
  context: CommandContext,
): Promise<never> {
  const isUnreached = error instanceof LightspanError && ['network', 'timeout'].includes(error.code);
  if (!isUnreached || deployment?.compose === undefined) throw error;
  const { collectDeployment } = await import('../../gather/deployment/collect.js');
  const { collectInService } = await import('../../steps/collect-in-service.js');
  const { facts } = await collectDeployment(deployment, context);
  const line = collectInService(facts);
  if (line === undefined) throw error;
  const hint =
    'If it is the one of the project, whose port is not published, collect the facts in its service, and pass ' +
    `--facts facts.json in place of --database:\n  ${line}`;
  throw new LightspanError(error.code, error.message, { hint, cause: error });
}

/**
 * Reads facts that were collected earlier, with the same limit of age for every command.
 *
 * @param facts a file, or `-` for standard input
 */
export async function readFactsFile(
  facts: string,
  maxAgeMs: number | undefined,
  { stdin, stderr, now }: CommandContext,
): Promise<ReadFacts> {
  const source = nameOfInput(facts);
  const text = await readInputText({ source: facts, stdin, what: 'facts file' });
  const { file, seenAt } = readDatedFacts(text, source, now());
  const ageMs = now().getTime() - Date.parse(seenAt);
  if (maxAgeMs === undefined) {
    if (ageMs > oldFactsMs) stderr.write(renderNotice({ kind: 'old-facts', source, seenAt, ageMs }));
  } else if (ageMs > maxAgeMs) {
    throw new LightspanError(
      'too-old',
      `${source}: the facts were collected at ${seenAt} and are older than --max-age allows`,
      { hint: 'Collect them again, or allow older ones with --max-age.' },
    );
  }
  const freshFrom = new Date(now().getTime() - (maxAgeMs ?? oldFactsMs)).toISOString();
  return { file, source, ageMs, freshFrom };
}

async function readDatabase(
  { url: named, migratingRole, measure }: DatabaseQuestion,
  timeoutMs: number,
  { env }: CommandContext,
): Promise<ReadFacts> {
  const { collectFacts } = await import('../../gather/database/collect-facts.js');
  const url = /^postgres(?:ql)?:/i.test(named) ? named : (env[named] ?? named);
  const file = await collectFacts({ database: url, env, timeoutMs, migratingRole, measure });
  const name = file.facts.database?.status === 'seen' ? ` ${file.facts.database.value.name}` : '';
  return { file, source: `the database${name}`, ageMs: 0 };
}

/** Writes to standard error which cluster is about to be read, and what for. */
export function sayCluster(stderr: CommandContext['stderr'], secretKeys = false) {
  return ({ context, namespace }: { readonly [Key in 'context' | 'namespace']: string | null }): void => {
    const where = context === null ? 'without a context' : `context ${printable(context)}`;
    const within = namespace === null ? '' : `, namespace ${printable(namespace)}`;
    const secrets = secretKeys ? 'of Secrets only keys' : 'no Secrets';
    stderr.write(`Asking kubectl, ${where}${within}: only get, ${secrets}\n`);
  };
}

/**
 * Adds the facts of a deployment. A fact that the file has already is refused, because either of the two may be right.
 */
async function addDeployment(
  read: ReadFacts | undefined,
  wanted: DeploymentSources,
  timeoutMs: number,
  { stdin, env, stderr, now }: CommandContext,
  clearProgress: () => void,
): Promise<ReadFacts> {
  const { collectDeployment } = await import('../../gather/deployment/collect.js');
  const { facts, sources } = await collectDeployment(wanted, {
    stdin,
    env,
    now,
    timeoutMs,
    onCluster: (place) => {
      clearProgress();
      sayCluster(stderr, wanted.secretKeys)(place);
    },
  });
  const source = [...(read === undefined ? [] : [read.source]), ...sources].join(', ');
  const file = read?.file ?? { schemaVersion: '1', collectedAt: now().toISOString(), facts: {} };
  const knownFacts = Object.fromEntries(
    Object.entries(file.facts).filter(([, fact]) => fact !== undefined && fact.status !== 'not-asked'),
  );
  const twice = factKeysOf('deployment').find(
    (key) => key in knownFacts && (facts[key]?.status ?? 'not-asked') !== 'not-asked',
  );
  if (twice !== undefined) {
    throw new LightspanError(
      'usage',
      `${read?.source} and ${sources.join(', ')} both describe ${needs[twice].label}`,
      { hint: 'Collect the facts again without it, or leave out the other source.' },
    );
  }
  const all = { ...file, facts: { ...file.facts, ...facts, ...knownFacts } };
  return {
    file: parseFactsFile(factsText(all)),
    source,
    ageMs: read?.ageMs ?? 0,
    freshFrom: read?.freshFrom,
  };
}
