import type { Strategy } from '../../release-safety/deployment.js';
import type { Verdict } from '../../release-safety/index-schema.js';
import type { RouteHop } from '../../release-safety/route.js';
import type { RenderedHop } from '../deployment/hop-block.js';
import type { HopDetails } from '../shown-route.js';
import { renderVersionList } from '../words/lists.js';
import type { Answer } from '../words/questions.js';

/** An answer for a pipeline: the source of `github`, `junit` and `markdown`. */
export interface GateAnswer {
  /** What was asked, such as `upgrade-check 1.111.0 -> 1.115.0`. */
  readonly title: string;
  /** Whether the answer is yes, and the exit code 0. */
  readonly yes: boolean;
  /** Whether the whole route is proven safe to roll. A plan with Recreate hops can be a yes but is not safe. */
  readonly safe: boolean;
  readonly verdict: Verdict;
  /** `RollingUpdate` only if the whole route is rolling; undefined if the answer is not about that. */
  readonly strategy: Strategy | undefined;
  /** The answer in one line, if it is not made from the questions, or is not about one span. */
  readonly headline?: string;
  /** Empty if there is no route, or nothing to do. */
  readonly hops: readonly (RouteHop & HopDetails)[];
  /** If any is a no, `yes` is false; if none is, it is true. */
  readonly questions: readonly GateQuestion[];
  /** What to do for each hop, if requested. */
  readonly commands?: readonly HopCommands[];
  /** Messages for places in files; only the first ones if there is a limit. */
  readonly places?: readonly GatePlace[];
}

export interface GatePlace {
  readonly file: string;
  /** From 1. */
  readonly line: number | undefined;
  readonly yes: boolean;
  readonly title: string;
  readonly message: string;
}

export interface HopCommands extends Pick<RenderedHop, 'before' | 'steps' | 'block'> {
  /** The file with the commands, if one was written. */
  readonly script: string | undefined;
}

export interface GateQuestion {
  readonly name: string;
  readonly yes: boolean;
  /** What speaks against it, one line each. */
  readonly why: readonly string[];
  /** Other remarks, whatever the answer is; one sentence each. */
  readonly notes?: readonly string[];
  /** Set if it is neither a plain yes nor a plain no. */
  readonly answer?: 'warn' | 'not checked';
}

/** The same answer, with sentences that apply to all of it. */
export function noting(answer: GateAnswer, sentences: readonly string[]): GateAnswer {
  const [first, ...others] = answer.questions;
  if (first === undefined || sentences.length === 0) return answer;
  return { ...answer, questions: [{ ...first, notes: [...sentences, ...(first.notes ?? [])] }, ...others] };
}

/** In one line: yes, or which question is a no. */
export function describeGateAnswer({ yes, safe, strategy, headline, hops, questions }: GateAnswer): string {
  if (headline !== undefined) return headline;
  if (safe && hops.length === 0) return 'nothing to do: the running version is the target';
  if (safe) {
    return hops.length > 1
      ? `proven safe to roll in ${hops.length} hops, one after the other`
      : 'proven safe to roll in one step';
  }
  if (yes) return `a complete route; strategy ${strategy}, which means a downtime at some hops`;
  return questions
    .filter((question) => !question.yes)
    .map(({ name, why }) => `${name}: no${why.length === 0 ? '' : ` (${why.join('; ')})`}`)
    .join('. ');
}

/** What the facts of an instance say; only a stop is a no. */
export function questionOfInstance(instance: Answer | undefined): GateQuestion[] {
  if (instance === undefined) return [];
  const { question, answer, why } = instance;
  const yes = answer !== 'no';
  return [{ name: question, yes, why, ...(answer === 'unknown' ? { answer: 'not checked' } : {}) }];
}

/** The names of releases, as many as fit into a line. */
export function listReleases(kind: string, versions: readonly string[]): string {
  return `${kind}: ${renderVersionList(versions, { whole: false })}`;
}
