import * as z from 'zod/mini';
import { checks } from '../../checks/checks.js';
import { versionSchema } from '../../release-safety/field-schemas.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';

/** `lightspan.yaml`. Types and the JSON Schema for editors are derived from this declaration. */

const said = (what: string) => z.string().check(z.regex(/^\S(?:\P{Cc}*\S)?$/u), z.describe(what));
const list = (what: string) => z.optional(z.array(said(what)).check(z.minLength(1)));

const acceptance = {
  reason: said('a reason, in one line'),
  by: z.optional(said('who has decided it')),
  until: z.optional(z.iso.date().check(z.describe('the last day on which it counts, such as 2027-01-31'))),
};

export const settingsSchema = z.strictObject({
  $schema: z.optional(said('this schema, for an editor')),
  instance: z.optional(said('the address of the running instance, such as https://bi.example.com')),
  pins: list(
    'a file that pins the version, with the path of the tag, such as envs/*' + '/values.yaml#image.tag',
  ),
  tagSuffix: z.optional(
    z.string().check(z.regex(/^[\w.-]+$/), z.describe('what follows the version in tags, such as -custom')),
  ),
  to: z.optional(said('the target: latest, latest-rolling or a version')),
  index: z.optional(said('the release-safety index: a URL, a file or a mirror folder')),
  deploy: z.optional(z.enum(['helm', 'compose'])),
  helm: z.optional(
    z.strictObject({
      release: z.optional(said('the name of the release')),
      namespace: z.optional(said('its namespace; the cluster is then asked')),
      context: z.optional(said('the context of kubectl; the cluster is then asked')),
      values: list('a values file; the later wins'),
    }),
  ),
  compose: z.optional(
    z.strictObject({
      files: list('a compose file'),
      envFiles: list('a file of variables, in place of .env'),
    }),
  ),
  database: z.optional(
    said('env for the PG* variables, the name of a variable with the URL, or a URL without a password'),
  ),
  facts: z.optional(
    z
      .record(z.string(), z.union([z.string(), z.number()]))
      .check(z.describe('what is known of the instance, as with --fact, such as edition: enterprise')),
  ),
  diskFree: z.optional(said('free space on the disk of the database, such as 40GiB')),
  knownIssues: list('known issues in addition to the built-in ones: a URL, a file or a folder'),
  accept: z.optional(
    z.array(
      z.union(
        [
          z.strictObject({ issue: said('the id of a known issue'), ...acceptance }),
          z.strictObject({
            check: z.enum(checks.map(({ id }) => id)),
            subject: z.optional(said('what the finding is about, where it has a subject')),
            ...acceptance,
          }),
          z.strictObject({ release: versionSchema, ...acceptance }),
        ],
        {
          error:
            'expected a known issue, a finding of a check or the verdict of a release; nothing else can be accepted',
        },
      ),
    ),
  ),
});

export type Settings = DeepReadonly<z.infer<typeof settingsSchema>>;
