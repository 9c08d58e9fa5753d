import type { Version } from '../../release-safety/version.js';
import { type Answers, defineCheck, foundOrOk, stop } from '../check.js';
import { firstWith, isOlder } from '../runtime-eras.js';

/** The publisher announced that the schema needs `vector` from this date on. */
const vectorSince = '2025-03-01';

export type ExtensionsEvidence =
  | { readonly kind: 'extension-not-available'; readonly extension: string }
  | {
      readonly kind: 'extension-not-permitted';
      readonly extension: string;
      readonly role: string;
      readonly database: string;
    }
  | { readonly kind: 'extensions-there'; readonly extensions: readonly string[] };

/** Whether the extensions that the target needs exist, or can be created by the role that migrates. */
export const extensions = defineCheck({
  id: 'extensions',
  group: 'database',
  canStop: true,
  needs: ['extensions', 'migrator', 'database'],
  needsArtifacts: false,
  judge({ to, line, facts }): Answers<ExtensionsEvidence> {
    const { migrator } = facts;
    const needed = neededBy(
      to,
      [...line.before, ...line.span].findLast(({ version }) => version === to)?.releaseDate,
    );
    const findings = needed.flatMap((extension): Answers<ExtensionsEvidence> => {
      const known = facts.extensions.find(({ name }) => name === extension);
      if (known?.installed != null) return [];
      if (known === undefined) {
        return [stop(extension, { kind: 'extension-not-available', extension })];
      }
      const mayCreate = migrator.superuser || (known.trusted === true && migrator.databaseCreate);
      if (mayCreate) return [];
      return [
        stop(extension, {
          kind: 'extension-not-permitted',
          extension,
          role: migrator.name,
          database: facts.database.name,
        }),
      ];
    });
    return foundOrOk(findings, { kind: 'extensions-there', extensions: needed });
  },
});

/** @param released when the target was released; if not known, it needs all that any release may need */
function neededBy(to: Version, released: string | undefined): readonly string[] {
  return [
    ...(needsVector(released) ? ['vector'] : []),
    ...(isOlder(to, firstWith.lease) ? [] : ['uuid-ossp']),
  ];
}

/** @param released when it was released; if not known, it may need it */
export function needsVector(released: string | undefined): boolean {
  return released === undefined || Date.parse(released) >= Date.parse(vectorSince);
}
