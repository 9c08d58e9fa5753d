import * as z from 'zod/mini';
import { acceptableChecks, acceptableKinds, whyNotAcceptable } from '../../checks/acceptable.js';
import type { Acceptance } from '../../core/accepted.js';
import type { DeepReadonly } from '../../core/common/deep-readonly.js';
import { versionSchema } from '../../core/field-schemas.js';
import { withDoubles } from '../../core/json/exact-json.js';
import { parseWith } from '../../core/json/parse-with.js';
import { formatPath, type SchemaProblem } from '../../core/json/schema-problem.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { didYouMean } from '../../core/text/did-you-mean.js';
import { secretsIn } from '../../gather/files/secrets.js';
import { readYaml } from '../../gather/files/yaml.js';
import { factNames, readFact } from '../../instance/facts/fact-names.js';
import { list, oneLine, optionalText, settingsOfOptions, textSchema } from './of-options.js';

export const pinsFileSchema = z.strictObject({
  $schema: z.optional(z.string()),
  pins: z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
});

const accepted = {
  reason: textSchema('a reason, in one line'),
  by: optionalText('who decided it'),
  until: z.optional(z.iso.date().check(z.describe('the last day on which it counts, such as 2027-01-31'))),
};
const acceptable =
  (what: string, all: readonly string[]) =>
  ({ input }: { readonly input?: unknown }) => {
    const why = whyNotAcceptable(String(input));
    // A name that is close to a known one gets the message of a mistyped name instead.
    if (why === undefined && didYouMean(String(input), all) !== '') return undefined;
    return `expected ${what} that can be accepted${why === undefined ? '' : ` (${why})`}`;
  };
const risks = [
  z.strictObject({ issue: textSchema('the id of a known issue'), ...accepted }),
  z.strictObject({
    check: z.enum(acceptableChecks, { error: acceptable('a check with findings', acceptableChecks) }),
    subject: z
      .string({
        error:
          'expected the subject of the finding; without one, it is accepted by its kind: write finding: ' +
          '<kind> in place of check (the page of the check has its kinds)',
      })
      .check(z.regex(oneLine), z.describe('what the finding is about')),
    ...accepted,
  }),
  z.strictObject({
    finding: z
      .enum(acceptableKinds, { error: acceptable('a kind of finding', acceptableKinds) })
      .check(z.describe('the kind of a finding without a subject')),
    ...accepted,
  }),
  z.strictObject({ release: versionSchema, ...accepted }),
] as const;
const nothingElse = ({ input }: { readonly input?: unknown }) => {
  const named = ['issue', 'check', 'finding', 'release'].filter((name) => Object.hasOwn(Object(input), name));
  if (named.length > 1)
    return `expected one risk, not ${named.join(' and ')} in one entry: write an entry for each, with its own reason`;
  return named.length === 1
    ? undefined
    : 'expected a known issue, a finding of a check or the verdict of a release; nothing else can be accepted';
};

const helm = z.strictObject({
  release: optionalText('the name of the release'),
  namespace: optionalText('its namespace; the cluster is then asked'),
  context: optionalText('the context of kubectl; the cluster is then asked'),
  values: list('a values file; the later wins'),
});
const compose = z.strictObject({
  files: list('a compose file'),
  envFiles: list('a file of variables, in place of .env'),
});
const ignored = z.strictObject({
  path: textSchema('files of the repository, as a glob, such as docs/**'),
  reason: textSchema('why changing them never moves Lightdash, in one line'),
});
const facts = z.record(z.string(), z.union([z.string(), z.number()])).check(({ value, issues }) => {
  for (const [name, written] of Object.entries(value)) {
    const fact = readFact(name, written);
    if (fact.ok) continue;
    const { expected } = fact;
    if (expected === undefined)
      issues.push({ code: 'unrecognized_keys', keys: [name], known: factNames, input: value });
    else issues.push({ code: 'custom', path: [name], message: `expected ${expected}`, input: written });
  }
});

const { instance, tagSuffix, to, index, deploy, database, ...others } = settingsOfOptions;

/** `lightspan.yaml`, in the order of its schema. What stands for an option is read by that option. */
export const settingsSchema = z.strictObject({
  $schema: optionalText('this schema, for an editor'),
  instance,
  pins: list(
    'a file that pins the version, with the path of the tag, such as values.yaml#image.tag, or an ' +
      'expression with one group, such as deploy.sh#/lightdash:(\\S+)/',
  ),
  ignore: z.optional(z.array(ignored).check(z.minLength(1), z.describe('what pin-check does not judge'))),
  tagSuffix,
  to,
  index,
  deploy,
  helm: z.optional(helm),
  compose: z.optional(compose),
  database,
  facts: z.optional(facts.check(z.describe('what is known of the instance, as with --fact'))),
  ...others,
  accept: z.optional(z.array(z.union(risks, { error: nothingElse }))),
});

export type Settings = DeepReadonly<z.infer<typeof settingsSchema>>;

export function readSettings(text: string, name: string): Settings {
  return readBy(settingsSchema, text, { name, page: 'settings' });
}

const hintOfPage = {
  settings: 'schemas/settings.json of the package describes every key; see also lightspan settings --help.',
  'pin-check': 'schemas/pins.json of the package describes every key.',
} as const;

/** Reads YAML that everybody may read; a secret in it is never repeated. */
export function readBy<T>(
  schema: z.ZodMiniType<T>,
  text: string,
  { name, page }: { readonly name: string; readonly page: keyof typeof hintOfPage },
): T {
  const refuse = (faults: readonly string[], hint: string = hintOfPage[page]) =>
    new LightspanError('usage', `${name}:${faults.slice(0, 5).join(`; ${name}:`)}`, { hint });
  const reading = readYaml(text);
  if (!reading.ok) {
    throw refuse(reading.faults.map(({ line, column, message }) => `${line}:${column}: ${message}`));
  }
  const value = withDoubles(reading.value);
  const placed = ({ path, about, message }: SchemaProblem) => {
    const { line, column } = reading.positionOf(path, about);
    return `${line}:${column}: ${path.length === 0 ? '' : `${formatPath(path)}: `}${message}`;
  };
  const secrets = secretsIn(value).map(placed);
  if (secrets.length > 0) throw refuse(secrets, 'Everybody who works on the instance reads this file.');
  const parsed = parseWith(schema, value);
  if (!parsed.ok) throw refuse(parsed.problems.map(placed));
  return parsed.value;
}

export function acceptancesIn({ accept = [] }: Settings): readonly Acceptance[] {
  return accept.map((entry) => {
    const { reason, by = null, until = null } = entry;
    const rest = { reason, by, until };
    if ('issue' in entry) return { kind: 'issue', name: entry.issue, ...rest };
    if ('release' in entry) return { kind: 'release', name: entry.release, ...rest };
    if ('finding' in entry) return { kind: 'check', name: entry.finding, ...rest };
    return { kind: 'check', name: `${entry.check}/${entry.subject}`, ...rest };
  });
}
