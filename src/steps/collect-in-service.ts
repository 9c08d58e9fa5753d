import { shellWord } from '../core/text/quoted-words.js';
import { deploymentOf } from '../instance/deployment.js';
import type { ObservedFacts } from '../instance/facts/facts-schema.js';
import { seenValue } from '../instance/facts/needs.js';
import { composeCommand } from './compose.js';

/**
 * The line that collects the facts of a database in a service of docker compose, which need publish no port: the
 * container itself knows its user and database.
 *
 * @returns undefined if no service of what was seen is the database
 */
export function collectInService(facts: ObservedFacts): string | undefined {
  const { kind, compose: project } = deploymentOf(facts);
  const { database, folder } = project;
  if (kind !== 'compose' || database === undefined) return undefined;
  const service = seenValue(facts.workloads)?.find(({ name }) => name === database);
  const variables = new Set(
    service?.containers.flatMap((container) => container.variables.map(({ name }) => name)),
  );
  const user = variables.has('POSTGRES_USER') ? '"$POSTGRES_USER"' : 'postgres';
  const named = variables.has('POSTGRES_DB') ? '"$POSTGRES_DB"' : user;
  const psql = shellWord(`psql -X -A -t -U ${user} -d ${named}`);
  // In another folder than this one, its files are named: the output is written here.
  const compose = composeCommand({ ...project, folder: folder === '.' ? folder : undefined });
  return `lightspan upgrade-preflight --sql | ${compose} exec -T ${shellWord(database)} sh -c ${psql} > facts.json`;
}
