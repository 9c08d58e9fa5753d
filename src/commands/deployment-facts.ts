import { LightspanError } from '../errors.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { type FactKey, factKeysOf, needs } from '../facts/needs.js';
import { factsText, parseFactsFile } from '../facts/read-facts.js';
import { printable } from '../render/printable.js';
import { collectDeployment } from '../sources/deployment/collect.js';
import type { CommandContext } from './context.js';
import type { DeploymentOptions } from './deployment-options.js';
import type { ReadFacts } from './facts-file.js';
import type { SourceOptions } from './options.js';

/**
 * Adds the facts of a deployment to those that were already read, which may be none. A fact from two sources is
 * refused, because either may be right.
 *
 * @throws {LightspanError} `usage`, and the errors of the collection
 */
export async function addDeployment(
  read: ReadFacts | undefined,
  options: DeploymentOptions & Pick<SourceOptions, 'timeout'>,
  { stdin, env, stderr, now }: CommandContext,
): Promise<ReadFacts> {
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
