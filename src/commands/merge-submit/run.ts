import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodeOfOutcome, exitCodes } from '../../exit-codes.js';
import type { LightdashClient } from '../../lightdash-api/client.js';
import { parseMergeRequest } from '../../merge-query/request.js';
import type { MergeResponse, StartedMerge } from '../../merge-query/response.js';
import { renderDocument } from '../../render/json/document.js';
import { renderMergeChecksJson } from '../../render/json/merge-check.js';
import type { MergeSubmitDryRunResult } from '../../render/json/merge-result-schemas.js';
import { renderResponseJson } from '../../render/json/response.js';
import { renderMergeChecksText, renderMergeWarnings } from '../../render/text/merge-check.js';
import { renderMergeOutcome } from '../../render/text/merge-outcome.js';
import { renderLostMerge, renderNextOfQuery, renderRunningQuery } from '../../render/text/query-failure.js';
import { renderRequestText } from '../../render/text/request.js';
import { type Exact, withDoubles } from '../../shared/exact-json.js';
import { isRecord } from '../../shared/is-record.js';
import { formatPath } from '../../shared/schema-problem.js';
import { readMergeFile } from '../../sources/merge-file.js';
import { choosePalette } from '../colour.js';
import { connect, resolveConnection } from '../connection.js';
import type { ConnectionOptions } from '../connection-options.js';
import { type CommandContext, type Output, widthOf } from '../context.js';
import { fetchResult, resultsCommand } from '../fetch-result.js';
import { type RowOptions, requireConsistentRows, withoutDash } from '../row-options.js';
import { fileSink } from '../text-sink.js';
import { type ParameterOptions, readParameters } from './parameters.js';
import { buildRequestBody, type RequestBody } from './request-body.js';

export interface MergeSubmitOptions extends ConnectionOptions, RowOptions, ParameterOptions {
  /** Milliseconds; true for the default window. */
  readonly wait?: number | true;
  readonly mode?: 'interactive' | 'export';
  readonly exportLimit?: number | 'all';
  readonly invalidateCache?: true;
  readonly context?: string;
  readonly validate: boolean;
  readonly dryRun?: true;
  readonly color?: boolean;
}

/** `lightspan merge submit` */
export async function mergeSubmit(
  source: string,
  given: MergeSubmitOptions,
  context: CommandContext,
): Promise<ExitCode> {
  requireConsistent(source, given);
  const options = withoutDash(given);
  const parameters = await readParameters(options, context.stdin);
  const file = await readMergeFile({ source, stdin: context.stdin });
  const { check, json } = file;
  // Not even the server can judge a body that is not an object, or that JSON cannot express.
  if (!isRecord(json) || (options.validate && check.status !== 'valid')) {
    if (options.json === true) context.stdout.write(renderMergeChecksJson([file]));
    else context.stderr.write(`${renderMergeChecksText([file])}Nothing was sent.\n`);
    return exitCodeOfOutcome(check.status);
  }
  if (options.validate) context.stderr.write(renderMergeWarnings(file));

  const body = buildRequestBody(json, {
    mode: options.mode,
    exportLimit: options.exportLimit,
    parameters,
    invalidateCache: options.invalidateCache,
    context: options.context,
  });
  if (options.validate) requireValid(body);
  if (options.dryRun === true) return showRequest(body, options, context);
  return submit(await connect(options, { project: true }, context), body, options, context);
}

/** The file has already been found valid, so a fault comes from a flag. */
function requireValid(body: RequestBody): void {
  const parsed = parseMergeRequest(withDoubles(body));
  if (parsed.ok) return;
  const [problem] = parsed.problems;
  throw new LightspanError(
    'usage',
    problem === undefined
      ? 'the flags make the request invalid'
      : `the flags make the request invalid: ${formatPath(problem.path)}: ${problem.message}`,
  );
}

async function submit(
  client: LightdashClient,
  body: RequestBody,
  options: MergeSubmitOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { wait, out, json = false } = options;
  // If the rows cannot be written, the merge need not run.
  const file = out === undefined ? undefined : await fileSink(out);
  try {
    const response = await submitOnce(client, body, options, context);
    const { results } = response;
    if (wait !== undefined && results.outcome === 'started') {
      await showOutcome(context.stderr);
      return await fetchResult({
        client,
        queryUuid: requireQueryUuid(results),
        fieldIds: Object.keys(results.fieldOrigins),
        wait,
        file,
        options,
        renderJson: (end) => renderResponseJson(response, { wait: end }),
        context,
      });
    }
    // If a program expects rows, no other output may be mistaken for them.
    const rowsExpected = wait !== undefined && out === undefined;
    if (json) context.stdout.write(renderResponseJson(response));
    else await showOutcome(rowsExpected ? context.stderr : context.stdout);
    return exitCodeOfOutcome(results.outcome);

    async function showOutcome(output: Output): Promise<void> {
      const palette = await choosePalette(options, { env: context.env, stdout: output });
      output.write(renderMergeOutcome(results, palette, widthOf(output)));
      if (wait !== undefined || results.outcome !== 'started') return;
      const { queryUuid } = results.query;
      if (queryUuid !== undefined) output.write(renderNextOfQuery(resultsCommand(queryUuid, options)));
    }
  } finally {
    await file?.abandon();
  }
}

/** Sends the merge. If its answer is lost, also by a signal, standard error says what may be running. */
async function submitOnce(
  client: LightdashClient,
  body: RequestBody,
  options: MergeSubmitOptions,
  { stderr, lastWords }: CommandContext,
): Promise<Exact<MergeResponse>> {
  lastWords(() => stderr.write(renderLostMerge()));
  try {
    return await client.submitMerge(body);
  } catch (error) {
    if (error instanceof LightspanError && error.mayHaveArrived) {
      const queryUuid = isRecord(error.response) ? error.response.queryUuid : undefined;
      stderr.write(
        typeof queryUuid === 'string'
          ? renderRunningQuery(queryUuid, resultsCommand(queryUuid, options))
          : renderLostMerge(),
      );
    }
    throw error;
  } finally {
    lastWords(undefined);
  }
}

function requireQueryUuid({ query: { queryUuid } }: Exact<StartedMerge>): string {
  if (queryUuid !== undefined) return queryUuid;
  throw new LightspanError(
    'invalid-response',
    'the merge has started, but the answer names no queryUuid to wait for (results.query.queryUuid)',
  );
}

/** `--dry-run`: needs no token, and shows none. */
async function showRequest(
  body: RequestBody,
  options: MergeSubmitOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { url, project = '' } = await resolveConnection(options, { project: true, token: false }, context);
  const { composeMergeRequest } = await import('../../lightdash-api/endpoints.js');
  const { method, path } = composeMergeRequest({ projectUuid: project, body });
  const request = { method, url: String(new URL(path, url)), body };
  context.stdout.write(
    options.json === true ? renderDocument<MergeSubmitDryRunResult>(request) : renderRequestText(request),
  );
  return exitCodes.yes;
}

/** Refuses flags that contradict each other. */
function requireConsistent(source: string, options: MergeSubmitOptions): void {
  const { wait, output, out, rawCsv, pageSize, mode, exportLimit, paramsFile } = options;
  const refuse = (what: string, hint: string) => new LightspanError('usage', what, { hint });
  if (wait === undefined) {
    const about = { '--output': output, '--out': out, '--raw-csv': rawCsv, '--page-size': pageSize };
    const [alone] = Object.entries(about).find(([, value]) => value !== undefined) ?? [];
    if (alone !== undefined)
      throw refuse(`${alone} applies to rows, and without --wait there are none`, 'Add --wait.');
  }
  requireConsistentRows(options);
  if (source === '-' && paramsFile === '-') {
    throw refuse(
      'standard input cannot be the merge and its parameters at once',
      'Name a file for one of them.',
    );
  }
  if (mode === 'interactive' && exportLimit !== undefined) {
    throw refuse(
      '--export-limit is about the mode export, and --mode is interactive',
      'Leave one of the two out.',
    );
  }
}
