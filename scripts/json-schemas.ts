import * as z from 'zod/mini';
import { compiledQuerySchema } from '../src/lightdash-api/compile-query.js';
import { metricsCatalogSchema } from '../src/lightdash-api/metrics-catalog.js';
import { orgUsersSchema } from '../src/lightdash-api/org-users.js';
import { savedChartSchema } from '../src/lightdash-api/saved-chart.js';
import { errorPayloadSchema } from '../src/merge-query/error-payload.js';
import { echoedMetricQuerySchema } from '../src/merge-query/query-results.js';
import { mergeRequestSchema } from '../src/merge-query/request.js';
import { mergeResponseSchema } from '../src/merge-query/response.js';
import {
  artifactSchema,
  configChangeSchema,
  documentedConfigChangeSchema,
  documentedConfigChangeTypes,
} from '../src/release-safety/artifact-schema.js';
import { indexSchema } from '../src/release-safety/index-schema.js';
import {
  indexMirrorResultSchema,
  indexStatusResultSchema,
  indexVerifyResultSchema,
  releaseShowResultSchema,
} from '../src/render/json/index-result-schemas.js';
import {
  mergeSubmitDryRunResultSchema,
  mergeSubmitResultSchema,
  mergeValidateResultSchema,
} from '../src/render/json/merge-result-schemas.js';
import {
  explainResultSchema,
  failureSchema,
  upgradeCheckResultSchema,
  upgradeVerifyResultSchema,
} from '../src/render/json/result-schemas.js';
import { upgradePlanResultSchema } from '../src/render/json/upgrade-plan-schema.js';
import { upgradeReportResultSchema } from '../src/render/json/upgrade-report-schema.js';

interface Source {
  readonly title: string;
  readonly schema: z.core.$ZodType;
}

/** What is read: before any default is filled in. */
const inputs: Readonly<Record<string, Source>> = {
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
};

/** An answer of the API as a command passes it on: parsed, and with the version of our own output. */
function passedOn<T extends z.core.$ZodShape>(response: z.ZodMiniObject<T>): z.core.$ZodType {
  return z.extend(response, { schemaVersion: z.literal('1') });
}

/** What is written: the output of each command with `--json`. */
const outputs: Readonly<Record<string, readonly [command: string, schema: z.core.$ZodType]>> = {
  'upgrade-check-result.json': ['upgrade-check --json and of upgrade-bump', upgradeCheckResultSchema],
  'upgrade-plan-result.json': ['upgrade-plan --json', upgradePlanResultSchema],
  'upgrade-report-result.json': ['upgrade-report --json', upgradeReportResultSchema],
  'index-status-result.json': ['index status --json', indexStatusResultSchema],
  'index-verify-result.json': ['index verify --json', indexVerifyResultSchema],
  'index-mirror-result.json': ['index mirror --json', indexMirrorResultSchema],
  'release-show-result.json': ['release show --json', releaseShowResultSchema],
  'merge-validate-result.json': ['merge validate --json', mergeValidateResultSchema],
  'merge-submit-result.json': ['merge submit --json', mergeSubmitResultSchema],
  'merge-submit-dry-run-result.json': ['merge submit --dry-run --json', mergeSubmitDryRunResultSchema],
  'chart-get-result.json': ['chart get --json', passedOn(savedChartSchema)],
  'chart-get-metric-query-result.json': ['chart get --metric-query --json', echoedMetricQuerySchema],
  'query-compile-result.json': ['query compile --json', passedOn(compiledQuerySchema)],
  'catalog-metrics-result.json': ['catalog metrics --json', passedOn(metricsCatalogSchema)],
  'org-users-result.json': ['org users --json', passedOn(orgUsersSchema)],
  'upgrade-verify-result.json': ['upgrade-verify --json', upgradeVerifyResultSchema],
  'explain-result.json': ['explain --json', explainResultSchema],
  'failure.json': ['any command with --json where it has no answer', failureSchema],
};

/** What `configChangeSchema` takes: it turns one kind into another as it reads, which no JSON Schema can be made of. */
const readConfigChangeSchema = z.union([
  documentedConfigChangeSchema,
  z.looseObject({
    type: z
      .string()
      .check(
        z.regex(new RegExp(`^(?!(?:${documentedConfigChangeTypes.join('|')})$)`)),
        z.describe('A kind of change newer than lightspan.'),
      ),
  }),
]);

/**
 * The JSON Schemas, each as the text of its file. Draft 7, because the language servers behind completion in editors
 * (VS Code's for JSON, Red Hat's for YAML) support it whole and later drafts in part; the later ones would add nothing
 * that is used here.
 */
export const jsonSchemas: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(inputs).map(([file, { title, schema }]) => [file, fileOf(title, schema, 'input')]),
  ...Object.entries(outputs).map(([file, [command, schema]]) => [
    file,
    fileOf(`Output of ${command.startsWith('any') ? '' : 'lightspan '}${command}`, schema, 'output'),
  ]),
]);

function fileOf(title: string, schema: z.core.$ZodType, io: 'input' | 'output'): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema !== configChangeSchema || io === 'output') return;
      const { $schema: _, ...change } = z.toJSONSchema(readConfigChangeSchema, { target: 'draft-7', io });
      delete jsonSchema.oneOf;
      Object.assign(jsonSchema, change);
    },
  });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
