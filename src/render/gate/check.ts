import type { ReconciledSpanResult } from '../../release-safety/reconcile.js';
import type { Route } from '../../release-safety/route.js';
import { questionOf, type SpanResult } from '../../release-safety/span.js';
import { describeDisagreement } from '../text/artifact-disagreement.js';
import { describeReason, reasonsOfKind } from '../text/reasons.js';
import { capped, describeUnproven, type GateAnswer, type GateQuestion } from './answer.js';

/**
 * @param route from and to the same releases, for the way to go instead. The index alone plans it, so none is named
 *   where artifacts do not agree with the index.
 */
export function gateAnswerOfCheck(
  result: SpanResult | ReconciledSpanResult,
  { hops }: Pick<Route, 'hops'>,
): GateAnswer {
  const disagreements = 'disagreements' in result ? result.disagreements.map(describeDisagreement) : [];
  const { fromVersion, toVersion, reasons, safe, jump, rolling, verdict } = result;
  const unsafe = reasonsOfKind(reasons, 'unsafe-release').map(({ version }) => version);
  const unknown = reasonsOfKind(reasons, 'unknown-release').map(({ version }) => version);
  const questions: GateQuestion[] = [
    {
      name: 'Direct upgrade',
      yes: jump === true,
      why: capped(
        reasons
          .filter(({ kind }) => questionOf[kind] === 'jump')
          .map((reason) => describeReason(reason, fromVersion))
          .concat(disagreements),
      ),
    },
    {
      name: 'Rolling update',
      yes: rolling,
      why: [
        ...describeUnproven(unsafe, unknown),
        ...(result.missingRanges.length === 0
          ? []
          : ['the index does not cover the whole span (span rule 7)']),
        ...capped(disagreements),
      ],
    },
  ];
  return {
    title: `upgrade-check ${fromVersion} -> ${toVersion}`,
    yes: safe,
    safe,
    verdict,
    strategy: rolling ? 'RollingUpdate' : 'Recreate',
    hops: disagreements.length === 0 ? hops : [],
    questions,
  };
}
