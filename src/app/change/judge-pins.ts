import type { Question } from '../../answer/answer.js';
import type { FindingInWords } from '../../checks/describe.js';
import { judgeRoute, mayRecreate, rollsInOneStep } from '../../core/judge.js';
import { type JudgedPin, judgeMove, type PinFinding, type PinQuestion } from '../../core/pins.js';
import { findNoRelease } from '../../core/route/no-release.js';
import { issuesOfInstalling } from '../../core/span.js';
import type { Version } from '../../core/version.js';
import type { CommandContext } from '../../door/context.js';
import { type Demands, joinDemands } from '../../known-issues/demands.js';
import type { EvidenceQuestion } from '../../question/evidence.js';
import type { JudgedBy } from '../../words/evidence/judged-by.js';
import {
  describeStops,
  type EvidenceSource,
  instanceAnswer,
  type JudgedSpan,
  judgedBy,
  judgeGivenSpan,
  openEvidence,
  requireSeen,
} from '../evidence.js';

/** A pin that was judged, with what stops its instance. */
export type PinOfInstance = JudgedPin<FindingInWords>;
type PinJudgement = Pick<PinOfInstance, 'finding' | 'stops' | 'firstHop' | 'rollsTo' | 'noRelease'>;

/** Judges the pins of a change, one after the other. */
interface PinJudge {
  judge(move: PinFinding | PinQuestion): Promise<PinJudgement>;
  /** What the spans so far ask for. */
  demands(): Demands;
  /** Undefined until a pin needed it. */
  readonly source: EvidenceSource | undefined;
  /** What the spans so far were judged by; undefined if none was. */
  judgedBy(): JudgedBy | undefined;
  /** What the facts of the instance say of the first span of which they do not say all. */
  unchecked(): Promise<Question | undefined>;
}

/** The evidence is read when the first pin needs it: a change that moves none needs no network. */
export function createPinJudge(question: EvidenceQuestion, context: CommandContext): PinJudge {
  let source: EvidenceSource | undefined;
  /** By span: many pins move alike, and count once. */
  const spans = new Map<string, { readonly judged: PinJudgement; readonly judgement: JudgedSpan }>();
  const demands: Demands[] = [];

  const judgeSpan = async (
    read: EvidenceSource,
    span: { readonly from: Version; readonly to: Version },
  ): Promise<PinJudgement> => {
    const key = `${span.from} ${span.to}`;
    const judgedBefore = spans.get(key);
    if (judgedBefore !== undefined) return judgedBefore.judged;
    const judgement = await judgeGivenSpan(read, span, context);
    demands.push(read.demandsOf(span));
    const { evidence, unseen } = judgement;
    if (mayRecreate(evidence, { ...judgement, unseen: [] })) await requireSeen(unseen);
    const judged = {
      finding: judgeMove(evidence, judgement),
      stops: await describeStops(judgement.stops),
      firstHop: () => judgeRoute(evidence, span).route.hops[0],
      rollsTo: () => rollsInOneStep(evidence, span.from),
      noRelease: () => findNoRelease(read.index, span),
    };
    spans.set(key, { judged, judgement });
    return judged;
  };

  return {
    demands: () => joinDemands(demands),
    get source() {
      return source;
    },
    async judge(move) {
      if (move.kind !== 'moved' && move.kind !== 'appeared') return { finding: move, stops: [] };
      source ??= await openEvidence(question, context);
      if (move.kind === 'moved') return judgeSpan(source, { from: move.from, to: move.to });
      const { version } = move;
      const { result: check } = await judgeGivenSpan(source, { from: version, to: version }, context);
      return {
        finding: { kind: 'added', check, issues: issuesOfInstalling(source.index, version) },
        stops: [],
      };
    },
    async unchecked() {
      for (const { judged, judgement } of spans.values()) {
        const instance = await instanceAnswer(judgement.preflight, judged.stops);
        if (instance?.answer === 'not checked') return instance;
      }
      return undefined;
    },
    judgedBy() {
      if (source === undefined) return undefined;
      const judged = [...spans.values()].map(({ judgement }) => judgement);
      const sum = (of: 'read' | 'of') => judged.reduce((all, { artifacts }) => all + artifacts[of], 0);
      const accepted = judged.flatMap((judgement) => judgement.accepted);
      return judgedBy(source, { artifacts: { read: sum('read'), of: sum('of') }, accepted });
    },
  };
}
