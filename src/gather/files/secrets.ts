import type { SchemaProblem } from '../../core/json/schema-problem.js';
import { isFactName } from '../../instance/facts/fact-names.js';
import { isWrittenAsUrl, looksLikeUrl } from '../http/address.js';

/** The tokens and passwords in a value that everybody may read, and where each belongs; none is repeated. */
export function secretsIn(value: unknown, path: SchemaProblem['path'] = []): readonly SchemaProblem[] {
  const found = (about: 'key' | 'value', belongs: string) => [
    { path, about, message: `no secret belongs here: ${belongs}` },
  ];
  const key = String(path.at(-1));
  const isFact = path[0] === 'facts' && isFactName(key);
  if (/token|api_?key|secret|passw/i.test(key) && !isFact) return found('key', placeOf(key));
  if (typeof value === 'string') {
    const isOfDatabase = path[0] === 'database' || /^postgres/i.test(value);
    return holdsSecret(value) ? found('value', placeOf(isOfDatabase ? 'password' : String(path[0]))) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsIn(inner, [...path, isList ? Number(name) : name]),
  );
}

export function holdsSecret(text: string): boolean {
  if (/\bldpat_\w/i.test(text)) return true;
  // A text that is written like a URL, without being one, may hold a password. The user of a database is no secret.
  const authority = /^\s*(?:[a-z][a-z0-9+.-]*:)?\/{0,2}([^/\s]*)@/i.exec(text)?.[1];
  if (authority !== undefined && looksLikeUrl(text))
    return authority.includes(':') || !/^postgres/i.test(text);
  const isAddress = isWrittenAsUrl(text) || /\bhost=/.test(text);
  return isAddress && /(?:^|[?&;\s])[\w-]*(?:token|key|secret|passw|sig)[\w-]*=/i.test(text);
}

function placeOf(key: string): string {
  if (/passw/i.test(key)) return 'a password of the database goes into PGPASSWORD or ~/.pgpass';
  if (key === 'index') return 'the whole address goes into LIGHTSPAN_INDEX';
  if (key === 'knownIssues') return 'the whole address goes into LIGHTSPAN_KNOWN_ISSUES';
  return 'a token goes into LIGHTDASH_API_KEY';
}
