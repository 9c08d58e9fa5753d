import * as z from 'zod/mini';
import { errorPayloadSchema } from '../src/merge-query/error-payload.js';
import { mergeRequestSchema } from '../src/merge-query/request.js';
import { mergeResponseSchema } from '../src/merge-query/response.js';
import { artifactSchema } from '../src/release-safety/artifact-schema.js';
import { indexSchema } from '../src/release-safety/index-schema.js';
import {
  failureSchema,
  mergeValidateResultSchema,
  upgradeCheckResultSchema,
} from '../src/render/json/result-schemas.js';

interface Source {
  readonly title: string;
  readonly schema: z.core.$ZodType;
}

/** The files of `schemas/`, and the validator that each comes out of. */
const sources: Readonly<Record<string, Source>> = {
  'merge-request.json': {
    title: 'Compose merge request, as YAML or JSON',
    schema: z.extend(mergeRequestSchema, {
      $schema: z.optional(z.string().check(z.describe('This schema, for an editor. It is not sent.'))),
    }),
  },
  'merge-response.json': { title: 'Response to a compose merge request', schema: mergeResponseSchema },
  'error-payload.json': { title: 'Error payload of the Lightdash API', schema: errorPayloadSchema },
  'release-safety-index.json': { title: 'Cumulative release-safety index', schema: indexSchema },
  'release-artifact.json': { title: 'Release-safety artifact of one release', schema: artifactSchema },
  'upgrade-check-result.json': {
    title: 'Output of lightspan upgrade-check --json',
    schema: upgradeCheckResultSchema,
  },
  'merge-validate-result.json': {
    title: 'Output of lightspan merge validate --json',
    schema: mergeValidateResultSchema,
  },
  'failure.json': {
    title: 'Output of any command with --json where it has no answer',
    schema: failureSchema,
  },
};

/**
 * The JSON Schemas, each as the text of its file. Draft 7, because the language servers behind completion in editors
 * (VS Code's for JSON, Red Hat's for YAML) support it whole and later drafts in part; the later ones would add nothing
 * that is used here. They describe what is read or written, before any default is filled in.
 */
export const jsonSchemas: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(sources).map(([file, { title, schema }]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, {
      target: 'draft-7',
      io: 'input',
      // A change of an environment variable may be of a kind newer than we are: any value will do.
      unrepresentable: 'any',
    });
    return [file, `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`];
  }),
);
