import { InvalidArgumentError } from 'commander';
import { renderDocument, renderResponseJson } from '../answer/json/document.js';
import type { MergeSubmitDryRunResult } from '../answer/json/merge-schemas.js';
import {
  lostMerge,
  renderMergeChecksJson,
  renderMergeChecksText,
  renderMergeOutcome,
  renderMergeWarnings,
  renderNextOfQuery,
  renderRequestText,
  renderRunningQuery,
} from '../answer/outputs/merge.js';
import { connect, resolveConnection } from '../app/lightdash/connection.js';
import { fetchResult, resultsCommand } from '../app/lightdash/fetch-result.js';
import {
  buildRequestBody,
  type Overrides,
  type ParametersGiven,
  type RequestBody,
  readParameters,
} from '../app/lightdash/merge-body.js';
import { readMergeFile } from '../app/lightdash/merge-file.js';
import { type Exact, withDoubles } from '../core/json/exact-json.js';
import { isRecord } from '../core/json/is-record.js';
import { describeProblem } from '../core/json/schema-problem.js';
import { LightspanError, toFailure } from '../core/lightspan-error.js';
import { type CommandContext, choosePalette, type Output } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, endings, exitCodeOfOutcome, exitCodes } from '../door/exit-codes.js';
import { connectionNotes, connectionOf, projectConnection } from '../door/options/connection-options.js';
import { colour, mannerOf } from '../door/options/options.js';
import { fileOrInput } from '../door/options/phrases.js';
import { rowOptions, rowsQuestionOf } from '../door/options/row-options.js';
import { readDuration, readText } from '../door/readers.js';
import { type FileSink, withFile } from '../door/text-sink.js';
import type { LightdashClient } from '../gather/api/client.js';
import { requestOf } from '../gather/http/request-details.js';
import { parseMergeRequest } from '../merge/request.js';
import type { MergeResponse } from '../merge/response.js';
import type { ConnectionQuestion, RowsQuestion } from '../question/connection.js';

const takes = {
  file: { flags: '<file>', description: `merge request as YAML or JSON: ${fileOrInput}` },
  ...projectConnection,
  ...rowOptions('with --wait: '),
  mode: {
    flags: '--mode <mode>',
    brief: 'interactive or export, instead of the one in the file',
    description: 'execution mode, instead of the one in the file',
    choices: ['interactive', 'export'],
  },
  exportLimit: {
    flags: '--export-limit <n>',
    description: 'use mode export, with at most this many rows, or all',
    read: readExportLimit,
  },
  param: {
    flags: '--param <name=value>',
    brief: 'set a parameter to a text, or with := to JSON',
    description:
      'set a parameter to a text, or with := to JSON, such as limit:=5 or years:=[2025,2026]; repeatable',
    read: String,
    several: true,
  },
  paramsFile: {
    flags: '--params-file <file>',
    brief: 'set parameters from YAML or JSON',
    description: `set parameters from a map in YAML or JSON: ${fileOrInput}`,
    read: readText,
  },
  invalidateCache: {
    flags: '--invalidate-cache',
    rare: true,
    description: 'ask for cached results to be bypassed',
  },
  context: {
    flags: '--context <value>',
    rare: true,
    description: 'where the query is issued from (default: the one in the file, else cli)',
    read: readText,
  },
  validate: {
    flags: '--no-validate',
    rare: true,
    description: 'send without checking the merge first, and let the server judge',
  },
  dryRun: { flags: '--dry-run', description: 'show the request; send nothing', conflicts: 'wait' },
  wait: {
    flags: '--wait [duration]',
    description: 'wait for the result and write its rows (default: 10m)',
    read: readDuration,
  },
  ...colour,
} as const satisfies OptionTable;

type MergeSubmitOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  notes: connectionNotes,
  exitCodes: {
    0: 'the merge has started and, with --wait, its result is complete',
    1: 'the merge breaks a rule or is refused, or the query failed, was cancelled, expired or is not known',
    2: endings.nothingSent,
    3: endings.noResult,
    4: endings.notTheContract,
  },
  examples: [
    'lightspan merge submit merge.yaml --dry-run',
    'lightspan merge submit merge.yaml --wait --output csv --out result.csv',
    "lightspan merge submit merge.yaml --param region=EU --param 'years:=[2025, 2026]' --export-limit all",
  ],
  run: mergeSubmit,
});

async function mergeSubmit(options: MergeSubmitOptions, context: CommandContext): Promise<ExitCode> {
  const submission = submissionOf(options);
  const { connection, rows } = submission;
  const { stdin, stdout, stderr } = context;
  const parameters = await readParameters(submission.parameters, stdin);
  const file = await readMergeFile({ source: options.file, stdin });
  const { check, json } = file;
  // Not even the server can judge a body that is not an object, or that JSON cannot express.
  if (!isRecord(json) || (options.validate && check.status !== 'valid')) {
    if (rows.json) stdout.write(renderMergeChecksJson([file]));
    else stderr.write(`${renderMergeChecksText([file])}Nothing was sent.\n`);
    return exitCodeOfOutcome(check.status);
  }
  if (options.validate) stderr.write(renderMergeWarnings(file));

  const body = buildRequestBody(json, { ...submission.overrides, parameters });
  const parsed = parseMergeRequest(withDoubles(body));
  if (options.validate && !parsed.ok) {
    // The file has already been found valid.
    const [problem] = parsed.problems.map(describeProblem);
    throw new LightspanError('usage', `the flags make the request invalid: ${problem}`);
  }
  if (options.dryRun === true) {
    // It needs no token, and shows none.
    const { url, project = '' } = await resolveConnection(
      connection,
      { project: true, token: false },
      context,
    );
    const { composeMergeRequest } = await import('../gather/api/client.js');
    const { method, path } = composeMergeRequest(project, body);
    const request = { method, url: String(new URL(path, url)), body };
    stdout.write(rows.json ? renderDocument<MergeSubmitDryRunResult>(request) : renderRequestText(request));
    return exitCodes.yes;
  }
  const client = await connect(connection, { project: true }, context);
  const send = (file?: FileSink) => submit(client, body, submission, context, file);
  // If the rows cannot be written, the merge need not run.
  return rows.out === undefined ? send() : withFile(rows.out, send);
}

/** A merge to submit: through what it is sent, and what becomes of its rows. */
interface Submission {
  readonly connection: ConnectionQuestion;
  readonly rows: RowsQuestion;
  /** Milliseconds, or true for the usual time; undefined: its result is not waited for. */
  readonly wait: number | true | undefined;
  readonly color: boolean | undefined;
  readonly parameters: ParametersGiven;
  readonly overrides: Omit<Overrides, 'parameters'>;
}

async function submit(
  client: LightdashClient,
  body: RequestBody,
  submission: Submission,
  context: CommandContext,
  file?: FileSink,
): Promise<ExitCode> {
  const { wait, rows, connection, color } = submission;
  const response = await submitOnce(client, body, submission, context);
  const { results } = response;
  const showOutcome = async (output: Output) => {
    const palette = await choosePalette({ color }, { env: context.env, stdout: output });
    output.write(renderMergeOutcome(results, palette));
    if (wait !== undefined || results.outcome !== 'started') return;
    const { queryUuid } = results.query;
    if (queryUuid !== undefined) output.write(renderNextOfQuery(resultsCommand(queryUuid, rows, connection)));
  };
  if (wait !== undefined && results.outcome === 'started') {
    await showOutcome(context.stderr);
    const { queryUuid } = results.query;
    if (queryUuid === undefined) {
      throw new LightspanError(
        'invalid-response',
        'the merge has started, but the answer names no queryUuid to wait for (results.query.queryUuid)',
      );
    }
    return await fetchResult({
      client,
      queryUuid,
      fieldIds: Object.keys(results.fieldOrigins),
      wait,
      file,
      rows,
      connection,
      renderJson: (end) => renderResponseJson(response, { wait: end }),
      context,
    });
  }
  // If a program expects rows, no other output may be mistaken for them.
  const rowsExpected = wait !== undefined && file === undefined;
  if (rows.json) context.stdout.write(renderResponseJson(response));
  else await showOutcome(rowsExpected ? context.stderr : context.stdout);
  return exitCodeOfOutcome(results.outcome);
}

/** Sends the merge. If its answer is lost, also by a signal, standard error says what may be running. */
async function submitOnce(
  client: LightdashClient,
  body: RequestBody,
  { rows, connection }: Submission,
  { stderr, onSignal }: CommandContext,
): Promise<Exact<MergeResponse>> {
  onSignal(() => stderr.write(lostMerge));
  try {
    return await client.submitMerge(body);
  } catch (error) {
    if (requestOf(error)?.mayHaveArrived === true) {
      const { response } = toFailure(error);
      const queryUuid = isRecord(response) ? response.queryUuid : undefined;
      stderr.write(
        typeof queryUuid === 'string'
          ? renderRunningQuery(queryUuid, resultsCommand(queryUuid, rows, connection))
          : lostMerge,
      );
    }
    throw error;
  } finally {
    onSignal(undefined);
  }
}

/** @throws {LightspanError} `usage` for options that contradict each other */
function submissionOf(options: MergeSubmitOptions): Submission {
  const { wait, output, out, rawCsv, pageSize, mode, exportLimit } = options;
  const refuse = (what: string, hint: string) => new LightspanError('usage', what, { hint });
  const ofRows = { '--output': output, '--out': out, '--raw-csv': rawCsv, '--page-size': pageSize };
  const [alone] = Object.entries(ofRows).find(([, value]) => value !== undefined) ?? [];
  if (wait === undefined && alone !== undefined) {
    throw refuse(`${alone} applies to rows, but without --wait there are none`, 'Add --wait.');
  }
  const rows = rowsQuestionOf(options);
  if (mode === 'interactive' && exportLimit !== undefined) {
    const what = '--export-limit is for the mode export, but --mode is interactive';
    throw refuse(what, 'Leave out one of the two.');
  }
  const { param = [], paramsFile, invalidateCache, context } = options;
  return {
    ...{ connection: connectionOf(options), rows, wait, color: mannerOf(options).color },
    parameters: { texts: param, file: paramsFile },
    overrides: { mode, exportLimit, invalidateCache, context },
  };
}

function readExportLimit(text: string): number | 'all' {
  if (text === 'all') return text;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 1, or all.');
  return Number(text);
}
