import { isDeepStrictEqual } from 'node:util';

/** As much of JSON Schema, draft 7, as `schemas/` uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

/**
 * What breaks a reader or a writer of the schema that was released.
 *
 * Of an **output**, all that is written now must be something that the released schema tells of, but for keys that are
 * new: no key goes or becomes optional, no type, value or variant joins those that there were. A new `schemaVersion`
 * says that it is another output. Of an **input**, all that was valid must be valid still.
 */
export function breakingChanges(kind: 'input' | 'output', released: Schema, now: Schema): string[] {
  const isOutput = kind === 'output';
  const [was, is] = [released, now].map((schema) => schema.properties?.schemaVersion?.const);
  if (isOutput && was !== undefined && is !== undefined && was !== is) return [];
  const [narrow, wide] = isOutput ? [now, released] : [released, now];
  const seen = new Set<string>();
  return excess(narrow, wide, '');

  /** What the narrow schema lets through and the wide one does not. */
  function excess(narrowOrRef: Schema, wideOrRef: Schema, path: string): string[] {
    const pair = `${narrowOrRef.$ref} ${wideOrRef.$ref}`;
    if (narrowOrRef.$ref !== undefined && wideOrRef.$ref !== undefined) {
      if (seen.has(pair)) return [];
      seen.add(pair);
    }
    const from = resolved(narrowOrRef, narrow);
    const to = resolved(wideOrRef, wide);
    const fault = (what: string) => [`${path || '(root)'}: ${what}`];

    const ways = from.anyOf ?? from.oneOf;
    const allowed = to.anyOf ?? to.oneOf;
    if (ways !== undefined || allowed !== undefined) {
      const isGone = (one: Schema) =>
        one.properties !== undefined && !(ways ?? [from]).some((way) => excess(way, one, path).length === 0);
      return [
        ...(ways ?? [from]).flatMap((way) => {
          const faults = (allowed ?? [to]).map((one) => excess(way, one, path));
          return faults.reduce((best, next) => (next.length < best.length ? next : best));
        }),
        ...(isOutput && (allowed ?? []).some((one) => isGone(resolved(one, wide)))
          ? fault('a variant is gone or has changed')
          : []),
      ];
    }

    const values = valuesOf(from);
    const allowedValues = valuesOf(to);
    if (allowedValues !== undefined) {
      const others = values?.filter((value) => !allowedValues.includes(value));
      if (others === undefined) return fault('is any value and not one of a list');
      if (others.length > 0) return fault(`may be ${others.map((one) => JSON.stringify(one)).join(', ')}`);
    }
    const types = values?.map(typeOf) ?? typesOf(from);
    const allowedTypes = typesOf(to);
    const isAllowed = (type: string) =>
      allowedTypes?.includes(type) || (type === 'integer' && allowedTypes?.includes('number'));
    if (allowedTypes !== undefined && !types?.every(isAllowed)) {
      return fault(`is ${types?.join(' or ') ?? 'anything'}, not ${allowedTypes.join(' or ')}`);
    }
    return [
      ...(values === undefined ? bounds(from, to).flatMap(fault) : []),
      ...objectExcess(from, to, path),
      ...(to.items === undefined ? [] : excess(from.items ?? {}, to.items, `${path}/[]`)),
    ];
  }

  function objectExcess(from: Schema, to: Schema, path: string): string[] {
    const keys = Object.entries(to.properties ?? {}).flatMap(([key, schema]) => {
      const here = `${path}/${key}`;
      const own = from.properties?.[key];
      if (own === undefined) return isOutput || isRequired(to, key) ? [`${here}: is gone or new`] : [];
      const isLoose = isRequired(to, key) && !isRequired(from, key);
      return [...(isLoose ? [`${here}: is required on one side alone`] : []), ...excess(own, schema, here)];
    });
    const { additionalProperties: more = true } = to;
    if (isOutput && more === false) return keys;
    const others = Object.keys(from.properties ?? {}).filter((key) => to.properties?.[key] === undefined);
    if (more === false) keys.push(...others.map((key) => `${path}/${key}: is gone`));
    const { additionalProperties: own = true } = from;
    if (more === true || own === false || from.type !== 'object') return keys;
    if (more === false) return [...keys, `${path}: takes no other keys`];
    return [...keys, ...excess(own === true ? {} : own, more, `${path}/*`)];
  }
}

function resolved(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = root.definitions?.[schema.$ref.replace('#/definitions/', '')];
  if (found === undefined) throw new Error(`${schema.$ref} leads nowhere`);
  return found;
}

const isRequired = (schema: Schema, key: string) => schema.required?.includes(key) ?? false;

const valuesOf = (schema: Schema) => ('const' in schema ? [schema.const] : schema.enum);

const typesOf = ({ type }: Schema) => (typeof type === 'string' ? [type] : type);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Keywords that say which values of a type there are: a limit, or something that is compared as it stands. */
function bounds(from: Schema, to: Schema): string[] {
  return Object.entries(to).flatMap(([keyword, limit]) => {
    const own = from[keyword];
    if (keyword === 'allOf' || /^(pattern|format|not|propertyNames)$/.test(keyword)) {
      return isDeepStrictEqual(own, limit) ? [] : [`another ${keyword}`];
    }
    if (!/^(min|max)/.test(keyword)) return [];
    const isWithin =
      typeof own === 'number' && (keyword.startsWith('min') ? own >= Number(limit) : own <= Number(limit));
    return isWithin ? [] : [`another ${keyword}`];
  });
}
