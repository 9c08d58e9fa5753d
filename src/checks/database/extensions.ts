import { sqlName } from '../../core/text/quoted-words.js';
import { isOlder, requireVersion, type Version } from '../../core/version.js';
import { firstWith } from '../../instance/first-versions.js';
import { type CheckInput, defineCheck, lacks, ok, stop } from '../check.js';

/** The publisher announced that the enterprise schema needs `vector` from this date on. */
const vectorSince = '2025-03-01';

/** The first release with a core migration that creates `ltree` (#14285). */
const firstWithLtree = requireVersion('0.1569.0');

export const extensions = defineCheck({
  id: 'extensions',
  needs: ['extensions', 'migrator', 'database'],
  mayNeed: ['edition'],
  *judge(input) {
    const { edition, facts } = input;
    const { name: role, schema, superuser, databaseCreate } = facts.migrator;
    const needed = neededBy(input);
    for (const extension of needed) {
      const ofServer = facts.extensions.find(({ name }) => name === extension);
      if (ofServer?.installed != null) continue;
      if (extension === 'vector' && edition === undefined) yield lacks('edition');
      else if (ofServer === undefined) yield stop(extension, { kind: 'extension-not-available', extension });
      else if (!superuser && !(ofServer.trusted === true && databaseCreate)) {
        // The schema is where a migration would create it.
        const about = { extension, schema, role, database: facts.database.name };
        yield stop(extension, { kind: 'extension-not-permitted', ...about });
      }
    }
    return ok({ kind: 'extensions-there', extensions: needed });
  },
})({
  label: 'Extensions',
  meaning:
    'Whether the extensions that the target needs are installed, or the migrating role may create them. What ' +
    'it looks at: The extensions that the target needs and the running release did not: vector with a licence ' +
    'key, since March 2025; ltree, from 0.1569.0 on; uuid-ossp, which every migrator creates at its start ' +
    'from 1.123.0 on. Each must be installed, or available and permitted.',
  finds: {
    'extension-not-available': {
      meaning: 'The server does not have the files of an extension that the target needs.',
      remedy: 'Install its package, or use an image or service that has it: pgvector/pgvector has vector.',
      describe: ({ extension }) => `${extension} is not available on this server`,
    },
    'extension-not-permitted': {
      meaning: 'A needed extension is not installed, and the migrating role cannot create it.',
      remedy: 'Create it on that database, as a superuser or as the administrator of the service.',
      describe: ({ extension, role, database }) =>
        `${extension} is not installed in ${database}, and ${role} cannot create it`,
      psql: ({ extension, schema }) => [
        `CREATE EXTENSION IF NOT EXISTS ${sqlName(extension)} SCHEMA ${sqlName(schema)};`,
      ],
    },
    'extensions-there': ({ extensions }) =>
      `newly needed, installed or permitted: ${extensions.join(', ') || 'none'}`,
  },
});

/**
 * What the target needs, and the running release did not. Enterprise migrations alone need `vector`, so an instance
 * that runs without it may have been without a licence key so far, and get one now.
 */
function neededBy({ from, to, line, edition }: CheckInput<never, never>): readonly string[] {
  if (from === to) return [];
  const brings = (first: Version) => isOlder(from, first) && !isOlder(to, first);
  const released = line.span.findLast(({ version }) => version === to)?.releaseDate;
  return [
    ...(edition !== 'community' && needsVector(released) ? ['vector'] : []),
    ...(brings(firstWith.lease) ? ['uuid-ossp'] : []),
    ...(brings(firstWithLtree) ? ['ltree'] : []),
  ];
}

/** @param released when it was released; if not known, it may need it */
export function needsVector(released: string | undefined): boolean {
  return released === undefined || Date.parse(released) >= Date.parse(vectorSince);
}
