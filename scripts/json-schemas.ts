import * as z from 'zod/mini';
import {
  explainResultSchema,
  failureSchema,
  pinCheckResultSchema,
  upgradeCheckResultSchema,
  upgradeVerifyResultSchema,
} from '../src/answer/json/answer-schemas.js';
import {
  indexDatasourceResultSchema,
  indexStatusResultSchema,
  knownIssuesVerifyResultSchema,
  statusChangesResultSchema,
} from '../src/answer/json/index-schemas.js';
import {
  mergeSubmitDryRunResultSchema,
  mergeSubmitResultSchema,
  mergeValidateResultSchema,
  queryResultsResultSchema,
} from '../src/answer/json/merge-schemas.js';
import { initResultSchema, settingsResultSchema } from '../src/answer/json/settings-schemas.js';
import {
  upgradePlanResultSchema,
  upgradePreflightResultSchema,
  upgradeReportResultSchema,
} from '../src/answer/json/upgrade-schemas.js';
import { pinsFileSchema, settingsSchema } from '../src/app/settings/read.js';
import { type Commands, listed } from '../src/commands/program.js';
import {
  artifactSchema,
  configChangeSchema,
  declaredAdvisoriesSchema,
  documentedAdvisorySchema,
  documentedConfigChangeSchema,
  documentedConfigChangeTypes,
} from '../src/core/artifact/artifact.js';
import { indexSchema } from '../src/core/index/index-schema.js';
import { factsFileSchema } from '../src/instance/facts/facts-schema.js';
import { migrationHistorySchema } from '../src/instance/migration-history.js';
import { upgradeStatusSchema } from '../src/instance/migration-status.js';
import { rehearsalSchema } from '../src/instance/rehearsal.js';
import { statusStateSchema } from '../src/known-issues/instance-status.js';
import { recordSchema, recordSetSchema } from '../src/known-issues/records.js';
import { mergeRequestSchema } from '../src/merge/request.js';
import { echoedMetricQuerySchema, errorPayloadSchema, mergeResponseSchema } from '../src/merge/response.js';

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
  'pins.json': { title: 'Pins for pin-check, as YAML or JSON', schema: pinsFileSchema },
  'settings.json': { title: 'lightspan.yaml, as YAML or JSON', schema: settingsSchema },
  'release-safety-index.json': { title: 'Cumulative release-safety index', schema: indexSchema },
  'known-issue.json': { title: 'Record of a known issue, as YAML or JSON', schema: recordSchema },
  'known-issues.json': { title: 'Set of records of known issues', schema: recordSetSchema },
  'facts.json': { title: 'Facts of one instance', schema: factsFileSchema },
  'index-status-state.json': { title: 'What index status --since keeps', schema: statusStateSchema },
  'release-artifact.json': { title: 'Release-safety artifact of one release', schema: artifactSchema },
};

interface Output {
  /** The command lines, after `lightspan`. */
  readonly writtenBy: readonly string[];
  readonly schema: z.core.$ZodType;
}

/** What more than the file of one command knows. */
const sharedOutputs: Readonly<Record<string, Output>> = {
  'upgrade-check-result.json': {
    writtenBy: ['upgrade-check --json', 'upgrade-bump --json'],
    schema: upgradeCheckResultSchema,
  },
  'upgrade-plan-result.json': { writtenBy: ['upgrade-plan --json'], schema: upgradePlanResultSchema },
  'upgrade-preflight-result.json': {
    writtenBy: ['upgrade-preflight --json'],
    schema: upgradePreflightResultSchema,
  },
  'upgrade-report-result.json': { writtenBy: ['upgrade-report --json'], schema: upgradeReportResultSchema },
  'pin-check-result.json': { writtenBy: ['pin-check --json'], schema: pinCheckResultSchema },
  'index-status-result.json': { writtenBy: ['index status --json'], schema: indexStatusResultSchema },
  'index-status-changes.json': {
    writtenBy: ['index status --since --json'],
    schema: statusChangesResultSchema,
  },
  'index-datasource-result.json': { writtenBy: ['index datasource'], schema: indexDatasourceResultSchema },
  'known-issues-verify-result.json': {
    writtenBy: ['known-issues verify --json'],
    schema: knownIssuesVerifyResultSchema,
  },
  'merge-validate-result.json': { writtenBy: ['merge validate --json'], schema: mergeValidateResultSchema },
  'merge-submit-result.json': { writtenBy: ['merge submit --json'], schema: mergeSubmitResultSchema },
  'merge-submit-dry-run-result.json': {
    writtenBy: ['merge submit --dry-run --json'],
    schema: mergeSubmitDryRunResultSchema,
  },
  'chart-get-metric-query-result.json': {
    writtenBy: ['chart get --metric-query --json'],
    schema: echoedMetricQuerySchema,
  },
  'query-results-result.json': { writtenBy: ['query results --json'], schema: queryResultsResultSchema },
  'upgrade-rehearse-result.json': { writtenBy: ['upgrade-rehearse --json'], schema: rehearsalSchema },
  'upgrade-status-result.json': { writtenBy: ['upgrade-status --json'], schema: upgradeStatusSchema },
  'upgrade-status-history-result.json': {
    writtenBy: ['upgrade-status --history --json'],
    schema: migrationHistorySchema,
  },
  'upgrade-verify-result.json': { writtenBy: ['upgrade-verify --json'], schema: upgradeVerifyResultSchema },
  'settings-result.json': { writtenBy: ['settings --json'], schema: settingsResultSchema },
  'init-result.json': { writtenBy: ['init --json'], schema: initResultSchema },
  'explain-result.json': { writtenBy: ['explain --json'], schema: explainResultSchema },
};

/** What the file of a command declares, as `index-mirror-result.json`, with the version of our own output. */
async function declaredOutputs(commands: Commands, above = ''): Promise<Record<string, Output>> {
  const found: Record<string, Output> = {};
  for (const [name, { load, commands: below = {} }] of Object.entries(commands)) {
    const fullName = `${above}${name}`;
    const schema = await (await load?.())?.resultSchema?.();
    if (schema !== undefined) {
      found[`${fullName.replace(' ', '-')}-result.json`] = {
        writtenBy: [`${fullName} --json`],
        schema:
          'schemaVersion' in schema.shape ? schema : z.extend(schema, { schemaVersion: z.literal('1') }),
      };
    }
    Object.assign(found, await declaredOutputs(below, `${fullName} `));
  }
  return found;
}

const outputs = { ...sharedOutputs, ...(await declaredOutputs(listed)) };

/** The schemas of what a command writes, by its name: `index mirror`. */
export function schemasOf(command: string): string[] {
  return Object.entries(outputs)
    .filter(([, { writtenBy }]) => writtenBy.some((line) => `${line} `.startsWith(`${command} `)))
    .map(([file]) => file);
}

/** What a schema takes that turns one form into another as it reads, which no JSON Schema can be made of. */
const readForms = new Map<z.core.$ZodType, z.core.$ZodType>([
  [
    configChangeSchema,
    z.union([
      documentedConfigChangeSchema,
      z.looseObject({
        type: z
          .string()
          .check(
            z.regex(new RegExp(`^(?!(?:${documentedConfigChangeTypes.join('|')})$)`)),
            z.describe('A kind of change newer than lightspan.'),
          ),
      }),
    ]),
  ],
  [
    declaredAdvisoriesSchema,
    z
      .array(documentedAdvisorySchema)
      .check(z.describe('Anything in another form is kept, but no verdict of true may rest on it.')),
  ],
]);

/**
 * The JSON Schemas, each as the text of its file. Draft 7, because the language servers behind completion in editors
 * (VS Code's for JSON, Red Hat's for YAML) support it whole and later drafts in part; the later ones would add nothing
 * that is used here.
 */
export const jsonSchemas: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(inputs).map(([file, { title, schema }]) => [file, fileOf(title, schema, 'input')]),
  ...Object.entries(outputs).map(([file, { writtenBy, schema }]) => {
    const lines = writtenBy.map((line) => `lightspan ${line}`);
    return [file, fileOf(`Output of ${lines.join(' and of ')}`, schema, 'output')];
  }),
  ['failure.json', fileOf('Output of any command with --json if it has no answer', failureSchema, 'output')],
]);

function fileOf(title: string, schema: z.core.$ZodType, io: 'input' | 'output'): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const read = io === 'input' ? readForms.get(zodSchema) : undefined;
      if (read === undefined) return;
      const { $schema: _, ...form } = z.toJSONSchema(read, { target: 'draft-7', io });
      delete jsonSchema.oneOf;
      Object.assign(jsonSchema, form);
    },
  });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
