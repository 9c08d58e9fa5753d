import { isWrittenAsUrl, looksLikeUrl } from '../http/address.js';
import { isRecord } from '../shared/is-record.js';
import type { SchemaProblem } from '../shared/schema-problem.js';

/** The tokens and passwords in a value that everybody may read, and where each belongs; none is repeated. */
export function secretsIn(value: unknown, path: SchemaProblem['path']): SchemaProblem[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => secretsIn(item, [...path, i]));
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, inner]) => [
      ...(/token|api_?key|secret|passw/i.test(key)
        ? [
            {
              path: [...path, key],
              about: 'key' as const,
              message: `no secret may stand here: ${placeOfSecret(key)}`,
            },
          ]
        : secretsIn(inner, [...path, key])),
    ]);
  }
  if (typeof value !== 'string' || !holdsSecret(value)) return [];
  const place = placeOfSecret(
    path[0] === 'database' || /^postgres/i.test(value) ? 'password' : String(path[0]),
  );
  return [{ path, about: 'value', message: `no secret may stand here: ${place}` }];
}

const secretParameter = /(?:^|[?&;\s])[\w-]*(?:token|key|secret|passw|sig)[\w-]*=/i;

function holdsSecret(text: string): boolean {
  if (/\bldpat_\w/i.test(text)) return true;
  // A user alone is no secret; what is no URL, but written like one, may be one with a password.
  const authority = /^\s*(?:[a-z][a-z0-9+.-]*:)?\/{0,2}([^/\s]*)@/i.exec(text)?.[1];
  if (authority !== undefined && looksLikeUrl(text) && authority.includes(':')) return true;
  return (isWrittenAsUrl(text) || /\bhost=/.test(text)) && secretParameter.test(text);
}

function placeOfSecret(key: string): string {
  if (/passw/i.test(key)) return 'a password of the database goes into PGPASSWORD or ~/.pgpass';
  if (key === 'index') return 'the whole address goes into LIGHTSPAN_INDEX';
  if (key === 'knownIssues') return 'the whole address goes into LIGHTSPAN_KNOWN_ISSUES';
  return 'a token goes into LIGHTDASH_API_KEY';
}
