import { type Preflight as AnyPreflight, preflightOf as findingsOf } from '../checks/checks.js';
import { findingInWords } from '../checks/describe.js';
import type { ArtifactOutcome } from '../core/artifact/reconcile.js';
import type { ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
import * as judge from '../core/judge.js';
import type { ReconciledSpanResult, Route, SpanResult } from '../core/results.js';
import { parseSpan, type Span as ReadSpan } from '../core/span.js';
import { compareVersions } from '../core/version.js';
import {
  type RouteRequest,
  readFactsText,
  readIndex,
  readRequest,
  requireArtifacts,
  type Span,
} from './library.js';

/** The one judgement of the program, for a program that has read the evidence itself. */

/** What an answer may rest on beside the index. It can take a yes away, and never gives one. */
export interface EvidenceRequest {
  /** By version, those before the span too: they show what an instance has migrated. If absent, none was looked for. */
  readonly artifacts?: ReadonlyMap<string, ArtifactOutcome>;
  /** Whether a yes needs every artifact, as with `--verify-artifacts`. */
  readonly everyArtifact?: boolean;
  /**
   * The text of a facts file, as `upgrade-preflight --facts-out` writes it. If absent, nothing of an instance counts.
   */
  readonly facts?: string;
  /**
   * The time that it is, for facts of another day: what changes by the hour, such as locks, sessions and the queue, does
   * not count once it is a day old. If absent, all of it counts.
   */
  readonly now?: Date;
  /** The free space of the database's disk, in bytes. */
  readonly diskFree?: number;
}

/** One line of a preflight: what a check found, or why it was not done. */
export interface PreflightFinding {
  /** The name of the check, as `--only` takes it. */
  readonly check: string;
  readonly status: 'stop' | 'not-checked' | 'warn' | 'ok';
  /** What it is about, by its own name: a table, a migration, a setting. Null: the whole. */
  readonly subject: string | null;
  /** What was found, in a sentence. */
  readonly description: string;
  /** What to do, and what to paste where; null where there is nothing to do. */
  readonly remedy: {
    readonly text: string;
    readonly pasteIn: 'psql' | 'image' | 'shell' | 'values' | null;
    readonly commands: readonly string[];
  } | null;
  /** What was found, by its kind, for a program. */
  readonly evidence: { readonly kind: string };
  /** What does what it asks for: following a route, or a hop that does not roll. */
  readonly settledBy?: 'route' | 'recreate';
}

/** What the facts of an instance say to an upgrade: every check has at least one finding. */
export interface Preflight {
  readonly findings: readonly PreflightFinding[];
  /** How many checks ended with each status; they add up. */
  readonly counts: Readonly<Record<PreflightFinding['status'], number>>;
}

interface JudgedBase {
  /** Undefined where no facts were given. */
  readonly preflight: Preflight | undefined;
  /** The findings for which the answer is no. */
  readonly stops: readonly PreflightFinding[];
  /** What could stop the upgrade, was requested, and could not be looked at: with any, there is no yes. */
  readonly unseen: readonly PreflightFinding[];
  /** How many artifacts were read, of how many releases that have one. */
  readonly artifacts: { readonly read: number; readonly of: number };
}

/** The answer for one direct upgrade. */
export interface SpanJudgement extends JudgedBase {
  /** `safe` is false if anything takes the yes away; the other fields are those of index and artifacts. */
  readonly result: SpanResult | ReconciledSpanResult;
  /**
   * Whether a yes is missing nothing but artifacts, or facts that could not be read: then there is no answer, and the
   * program ends with 3.
   */
  readonly unconfirmed: boolean;
}

/** The answer for a route. */
export interface RouteJudgement extends JudgedBase {
  readonly route: Route;
}

/**
 * Whether a span is proven safe to roll in one step, by the index, artifacts and facts: the answer of `upgrade-check`.
 *
 * @param index with what is known against its releases: see `withKnownIssues`, to which the same facts are given
 * @throws {LightspanError} what `parseSpan` throws; `invalid-artifact`, `invalid-facts`
 */
export function judgeSpan(
  index: ReleaseSafetyIndex,
  ends: Span,
  request: EvidenceRequest = {},
): SpanJudgement {
  const { result, unconfirmed, preflight, stops, unseen, artifacts } = judge.judgeSpan(
    readEvidence(index, request),
    parseSpan(ends),
  );
  return { result, unconfirmed, preflight, stops, unseen, artifacts };
}

/**
 * The route, and what of the instance stops it: the answer of `upgrade-plan`. What following the route settles does not
 * stop it.
 *
 * @throws {LightspanError} what `planRoute` throws; `invalid-artifact`, `invalid-facts`
 */
export function judgeRoute(
  index: ReleaseSafetyIndex,
  request: RouteRequest,
  evidence: EvidenceRequest = {},
): RouteJudgement {
  const { route, preflight, stops, unseen, artifacts } = judge.judgeRoute(
    readEvidence(index, evidence),
    readRequest(request),
  );
  return { route, preflight, stops, unseen, artifacts };
}

/**
 * What the facts of an instance say to an upgrade: the answer of `upgrade-preflight`.
 *
 * @throws {LightspanError} what `parseSpan` throws; `invalid-artifact`, `invalid-facts`
 */
export function preflightOf(
  index: ReleaseSafetyIndex,
  ends: Span,
  request: EvidenceRequest & { readonly facts: string },
): Preflight {
  const read = readIndex(index);
  requireArtifacts(request.artifacts ?? new Map());
  return preflightIn(read, request, request.facts)(parseSpan(ends));
}

function readEvidence(
  indexOfCaller: ReleaseSafetyIndex,
  request: EvidenceRequest,
): judge.Evidence<Preflight> {
  const index = readIndex(indexOfCaller);
  const { artifacts, everyArtifact, facts } = request;
  requireArtifacts(artifacts ?? new Map());
  const preflight = facts === undefined ? undefined : preflightIn(index, request, facts);
  // Without an artifact, a yes that needs all of them is none.
  const outcomes = artifacts ?? (everyArtifact ? new Map() : undefined);
  return { index, artifacts: outcomes, everyArtifact, preflightOf: preflight };
}

const dayMs = 86_400_000;

function preflightIn(
  index: ReleaseSafetyIndex,
  { artifacts = new Map(), diskFree, now }: EvidenceRequest,
  text: string,
): (span: ReadSpan) => Preflight {
  const { facts } = readFactsText(text);
  return (span) => {
    const before = index.entries.filter(({ version }) => compareVersions(version, span.from) <= 0);
    const begin = before.find(({ version }) => artifacts.has(version))?.version ?? span.from;
    const freshFrom = now && new Date(now.getTime() - dayMs).toISOString();
    return inWords(findingsOf({ index, facts, freshFrom, artifacts, begin, diskFree }, span));
  };
}

function inWords({ findings, counts }: AnyPreflight): Preflight {
  return {
    counts,
    findings: findings.map((finding) => {
      const { accepted: _, ...fields } = findingInWords(finding);
      return { ...fields, ...(finding.settledBy && { settledBy: finding.settledBy }) };
    }),
  };
}
