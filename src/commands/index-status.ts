import type { Fact } from '../answer/answer.js';
import { renderFacts } from '../answer/formats/text.js';
import { renderDocument } from '../answer/json/document.js';
import type { IndexStatusResult, StatusChangesResult } from '../answer/json/index-schemas.js';
import { openEvidence } from '../app/evidence.js';
import { findCurrentVersion } from '../app/sources/current-version.js';
import { readIndex } from '../app/sources/read-index.js';
import { summarizeIndex } from '../core/index/index-summary.js';
import { LightspanError } from '../core/lightspan-error.js';
import { printable } from '../core/text/printable.js';
import type { CommandLine } from '../door/command-line.js';
import { type CommandContext, choosePalette } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, endings, exitCodes } from '../door/exit-codes.js';
import { evidenceQuestionOf, indexPlaceOf, knownIssues, sources } from '../door/options/evidence-options.js';
import { currentVersion, json, networkOf, output, statedVersionOf, target } from '../door/options/options.js';
import { wholeFile } from '../door/options/phrases.js';
import { chooseFormat } from '../door/readers.js';
import { writeWhole } from '../door/text-sink.js';
import { sha256 } from '../gather/files/sha256.js';
import { describeSource, type LoadedIndex } from '../gather/publisher/index-source.js';
import type { InstanceStatus } from '../known-issues/instance-status.js';
import { countOf, describeAge, formatNumber } from '../words/phrase.js';

const takes = {
  ...currentVersion,
  minAge: target.minAge,
  since: {
    flags: '--since <file>',
    group: 'output',
    brief: 'only what has changed since the last run',
    description:
      'print one message for each change since the last run, which this file keeps, and nothing else; the first run ' +
      'prints the current state',
  },
  ...sources,
  ...knownIssues,
  ...output,
  format: {
    ...json.format,
    brief: 'text (default), json, openmetrics or slack',
    description:
      'how it is written: text (default), json (as --json), openmetrics (for the textfile collector of Prometheus) ' +
      'or, with --since, slack (the body for an incoming webhook)',
    choices: ['text', 'json', 'openmetrics', 'slack'],
  },
  out: {
    flags: '--out <file>',
    group: 'output',
    rare: true,
    description: `write it ${wholeFile} (default: standard output)`,
  },
} as const satisfies OptionTable;

type StatusOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  notes: `With the running release (--from, --from-file, --instance), it also says what is recommended for it and what is known
against it. --since writes its file once the messages are written.`,
  exitCodes: {
    0: 'the index, or the instance, is described, whatever state it is in',
    3: `${endings.noIndexOrInstance}, or a file cannot be read or written`,
    4: 'the index, known issues, or the file of --since cannot be trusted',
  },
  examples: [
    'lightspan index status',
    'lightspan index status --index ./mirror --max-age 7d --json',
    'lightspan index status --from-file values.yaml --format openmetrics --out lightspan.prom',
    'lightspan index status --from-file values.yaml --since state.json --format slack',
  ],
  // With --since, only changes are written.
  namesSettings: 'always',
  run: indexStatus,
});

async function indexStatus(
  options: StatusOptions,
  context: CommandContext,
  { settings }: CommandLine,
): Promise<ExitCode> {
  const format = chooseFormat(options);
  const isOfInstance = [options.from, options.fromFile, options.instance].some((way) => way !== undefined);
  requireFitting(format, isOfInstance, options.since);
  const seen = isOfInstance
    ? await seeInstance(options, settings, context)
    : {
        loaded: await readIndex(indexPlaceOf(options, context.env), networkOf(options), context),
        instance: undefined,
      };
  const status = statusOf(seen.loaded, context.now());
  const { instance } = seen;
  if (instance !== undefined && options.since !== undefined) {
    await writeChanges(instance, options.since, format, options.out, context);
    return exitCodes.yes;
  }
  const text = await textOf(status, instance, format, options, context);
  const by = settings.used === undefined ? '' : `Settings: ${printable(settings.used)}\n`;
  if (format === 'text') await write(`${text}${by}`, options.out, context);
  else {
    context.stderr.write(by);
    await write(text, options.out, context);
  }
  return exitCodes.yes;
}

/** What is only of an instance needs its release. */
function requireFitting(format: string, isOfInstance: boolean, since: string | undefined): void {
  const wanted =
    since !== undefined ? '--since' : format === 'openmetrics' ? '--format openmetrics' : undefined;
  if (format === 'slack' && since === undefined)
    throw new LightspanError('usage', '--format slack applies only with --since');
  if (format === 'openmetrics' && since !== undefined)
    throw new LightspanError('usage', '--format openmetrics is of what stands now, not of changes (--since)');
  if (wanted === undefined || isOfInstance) return;
  throw new LightspanError('usage', `${wanted} needs the running release`, {
    hint: 'Pass one of --from <version>, --instance <url> and --from-file <file>.',
  });
}

async function seeInstance(
  options: StatusOptions,
  settings: CommandLine['settings'],
  context: CommandContext,
): Promise<{ readonly loaded: LoadedIndex; readonly instance: InstanceStatus }> {
  // A mail for every line on standard error is what --since is to spare: it tells of an old index once, itself.
  const world = options.since === undefined ? context : { ...context, stderr: silent };
  const { version } = await findCurrentVersion(statedVersionOf(options), world);
  const source = await openEvidence(evidenceQuestionOf(options, settings, context.env), world);
  const { statusOfInstance } = await import('../app/instance-status.js');
  return { loaded: source, instance: await statusOfInstance(source, version, options.minAge, context) };
}

const silent: CommandContext['stderr'] = { write: () => true };

type IndexStatus = Omit<IndexStatusResult, 'schemaVersion' | 'instance'>;

function statusOf({ index, source, bytes }: LoadedIndex, now: Date): IndexStatus {
  const summary = summarizeIndex(index);
  const ageMs = now.getTime() - Date.parse(summary.generatedAt);
  return { source: describeSource(source), ageMs, sha256: sha256(bytes), ...summary };
}

async function textOf(
  status: IndexStatus,
  instance: InstanceStatus | undefined,
  format: string,
  options: StatusOptions,
  context: CommandContext,
): Promise<string> {
  if (format === 'json') return renderDocument<IndexStatusResult>({ ...status, instance });
  if (format === 'openmetrics' && instance !== undefined) {
    const { renderMetrics } = await import('../answer/outputs/metrics.js');
    return renderMetrics({ ...status, instance });
  }
  const palette = await choosePalette(options, context);
  const facts = instance === undefined ? [] : factsOfInstance(instance);
  return renderFacts([...factsOfIndex(status), ...facts], { palette });
}

function factsOfIndex(status: IndexStatus): Fact[] {
  const { releases, verdicts, newestGreenSpan: span } = status;
  const green = span && `${span.fromVersion} -> ${span.toVersion} (${countOf(span.releases, 'release')})`;
  return [
    { label: 'Index', text: status.source },
    { label: 'Generated', text: `${status.generatedAt} (${describeAge(status.ageMs)})` },
    { label: 'SHA-256', text: status.sha256 },
    {
      label: 'Releases',
      text: `${formatNumber(releases)}, ${status.firstVersion} to ${status.latestVersion}`,
    },
    { label: 'Floor', text: status.floorVersion ?? 'none' },
    {
      label: 'Verdicts',
      text: `${formatNumber(verdicts.true)} true, ${formatNumber(verdicts.false)} false, ${formatNumber(verdicts.unknown)} unknown`,
    },
    { label: 'Backfilled', text: formatNumber(status.backfilled) },
    { label: 'Newest span that rolls', text: green ?? 'none', tone: span === null ? 'warn' : 'good' },
  ];
}

function factsOfInstance(instance: InstanceStatus): Fact[] {
  const { recommended, recommendedFrom, nextHop, knownIssues, knownThrough, acceptances } = instance;
  const how = (rolling: boolean) => (rolling ? 'rolling' : 'with downtime');
  const first = recommendedFrom === null ? '' : ` (the first may be on ${recommendedFrom.slice(0, 10)})`;
  const end = knownThrough && `${knownThrough.version}, as of ${knownThrough.asOf}`;
  return [
    {
      label: 'Running release',
      text: `${instance.runningVersion}${instance.inIndex ? '' : ', which the index does not have'}`,
      ...(instance.inIndex ? {} : { tone: 'warn' as const }),
    },
    { label: 'Releases behind', text: formatNumber(instance.releasesBehind) },
    {
      label: 'Recommended',
      text:
        recommended === null
          ? `none that is newer${first}`
          : `${recommended.version}, in ${countOf(recommended.hops, 'hop')}, ${how(recommended.rolling)}`,
    },
    { label: 'Next hop', text: nextHop === null ? 'none' : `${nextHop.version}, ${how(nextHop.rolling)}` },
    {
      label: 'Known issues of what runs',
      text: String(knownIssues.length || 'none'),
      items: knownIssues.map(({ id, summary, remedy }) => `${id}: ${summary} ${remedy}`),
      tone: knownIssues.length === 0 ? 'good' : 'bad',
    },
    {
      label: 'Known issues end',
      text: `${end ?? 'they do not count'}${instance.recordsAreOld ? ': an age protects only with records' : ''}`,
      ...(instance.recordsAreOld ? { tone: 'warn' as const } : {}),
    },
    ...(acceptances.length === 0
      ? []
      : [
          {
            label: 'Accepted until',
            text: '',
            items: acceptances.map(({ name, until }) => `${until}: ${name}`),
          },
        ]),
  ];
}

/** The file is updated only after the changes were written: changes whose output failed are reported again. */
async function writeChanges(
  instance: InstanceStatus,
  since: string,
  format: string,
  out: string | undefined,
  context: CommandContext,
): Promise<void> {
  const { readStatusState, statusStateText } = await import('../app/status-state.js');
  const { changesSince, renderChanges, renderSlack } = await import('../answer/outputs/status-changes.js');
  const changes = changesSince(await readStatusState(since), instance);
  const text =
    format === 'json'
      ? renderDocument<StatusChangesResult>({ changes })
      : format === 'slack'
        ? renderSlack(changes)
        : renderChanges(changes);
  await write(text, out, context);
  await context.stdout.flush?.();
  await writeWhole(since, statusStateText(instance));
}

async function write(text: string, out: string | undefined, { stdout }: CommandContext): Promise<void> {
  if (out === undefined) stdout.write(text);
  else await writeWhole(out, text);
}
