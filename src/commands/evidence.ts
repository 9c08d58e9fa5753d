import type { Preflight } from '../checks/checks.js';
import { isObserved } from '../facts/fact-names.js';
import type { LineFacts } from '../instance/forecast/hops.js';
import type { Evidence, SpanJudgement } from '../release-safety/judge.js';
import type { ArtifactOutcome } from '../release-safety/reconcile.js';
import type { Span } from '../release-safety/span.js';
import type { JudgedBy } from '../render/words/judged-by.js';
import { isFolder } from '../sources/read-file.js';
import { listAcceptances } from './acceptances.js';
import type { CommandContext } from './context.js';
import type { ReadFacts } from './facts-file.js';
import type { ArtifactOptions, KnownIssueOptions, OutputOptions, SourceOptions } from './options.js';
import type { LoadArtifacts } from './read-artifacts.js';
import { indexRequest } from './read-index.js';
import { type JudgedIndex, readIndexAndKnownIssues } from './read-known-issues.js';
import type { SettingsOptions } from './settings/options.js';

/** The options that name evidence. */
export type EvidenceOptions = SourceOptions &
  ArtifactOptions &
  KnownIssueOptions &
  Pick<OutputOptions, 'verbose'> &
  Pick<SettingsOptions, 'settingsUsed'> & {
    readonly verifyArtifacts?: true;
    /** Bytes. */
    readonly diskFree?: number;
    /** Checks and groups. */
    readonly only?: readonly string[];
  };

/** Evidence for one span, as a command shows it. */
export interface SeenEvidence extends Evidence<Preflight> {
  /** What facts and artifacts say of the migrations of the span; undefined if no artifact was looked for. */
  readonly known: LineFacts | undefined;
}

/** Where the evidence of one command comes from. */
export interface EvidenceSource extends JudgedIndex {
  /** Those of `--facts`, or those that the command has collected, with what the command line states. */
  readonly facts: ReadFacts | undefined;
  /** The file that decided options. */
  readonly settings: string | undefined;
  /** Loads artifacts; none twice. */
  readonly load: LoadArtifacts;
  /** Reads what the answer about a span needs. */
  readonly evidenceFor: (span: Span) => Promise<SeenEvidence>;
}

/**
 * Reads the index and what is known against its releases. Artifacts are read where that costs no request, because the
 * index is a mirror; where the options name them; and where facts of an instance were seen, which mean little without.
 *
 * @param asked facts that were already read; whether the answer is about artifacts, or about the instance, anyway
 */
export async function openEvidence(
  options: EvidenceOptions,
  context: CommandContext,
  asked: {
    readonly facts?: ReadFacts | undefined;
    readonly artifacts?: boolean;
    readonly instance?: true;
  } = {},
): Promise<EvidenceSource> {
  const only = options.only && (await import('./choose-checks.js')).chooseChecks(options.only);
  const facts = asked.facts ?? (await readGivenFacts(options, context));
  const judged = await readIndexAndKnownIssues(options, context, facts?.file);
  const { index, acceptedIssues } = judged;
  const accepted = judged.acceptances.inForce;
  const artifacts = new Map<string, ArtifactOutcome>();
  let opened: Promise<LoadArtifacts> | undefined;
  const load = rememberIn(artifacts, async (versions) => {
    opened ??= import('./read-artifacts.js').then(({ openArtifacts }) => openArtifacts(options, context));
    return await (await opened)(versions);
  });
  const isSeen = asked.instance === true || (facts !== undefined && isObserved(facts.file));
  const readsArtifacts =
    asked.artifacts === true ||
    options.verifyArtifacts === true ||
    options.artifactUrl !== undefined ||
    isFolder(indexRequest(options, context).source);
  return {
    ...judged,
    facts,
    settings: options.settingsUsed,
    load,
    evidenceFor: async (span) => {
      const alone = { index, accepted, acceptedIssues };
      if (!isSeen && !readsArtifacts) return { ...alone, known: undefined };
      const evidence = { ...alone, artifacts, everyArtifact: options.verifyArtifacts };
      const { seeInstance, seeReleases } = await import('./see-instance.js');
      return facts !== undefined && isSeen
        ? {
            ...evidence,
            ...(await seeInstance(
              { facts: facts.file.facts, index, artifacts, diskFree: options.diskFree, only, accepted },
              span,
              load,
            )),
          }
        : { ...evidence, known: await seeReleases(index, span, load, options) };
    },
  };
}

/** How much an answer rests on that was judged by this evidence. */
export function judgedBy(
  {
    index,
    knownIssues,
    facts,
    settings,
    acceptances,
  }: Pick<EvidenceSource, 'index' | 'knownIssues' | 'facts' | 'settings' | 'acceptances'>,
  { artifacts, accepted }: Pick<SpanJudgement, 'artifacts' | 'accepted'>,
): JudgedBy {
  const risks = listAcceptances(acceptances, accepted);
  return {
    index: index.generatedAt,
    knownIssues,
    artifacts,
    facts: facts === undefined ? null : { source: facts.source, collectedAt: facts.file.collectedAt },
    ...(settings === undefined ? {} : { settings }),
    ...(risks.length === 0 ? {} : { accepted: risks }),
  };
}

/** The facts of `--facts`, with what the command line states; undefined without that option. */
export async function readGivenFacts(
  options: Pick<EvidenceOptions, 'facts' | 'fact' | 'maxAge'>,
  context: CommandContext,
): Promise<ReadFacts | undefined> {
  if (options.facts === undefined) return undefined;
  const { readFactsFile } = await import('./facts-file.js');
  const { withStated } = await import('../facts/read-facts.js');
  const read = await readFactsFile(options.facts, options, context);
  return { ...read, file: withStated(read.file, options.fact ?? new Map()) };
}

function rememberIn(known: Map<string, ArtifactOutcome>, load: LoadArtifacts): LoadArtifacts {
  return async (versions) => {
    const missing = versions.filter((version) => !known.has(version));
    if (missing.length > 0) for (const [version, outcome] of await load(missing)) known.set(version, outcome);
    return new Map([...known].filter(([version]) => versions.some((one) => one === version)));
  };
}
