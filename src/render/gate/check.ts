import type { Route } from '../../release-safety/route.js';
import type { SpanResult } from '../../release-safety/span.js';
import { describeReason, reasonsOfKind } from '../text/reasons.js';
import { capped, describeUnproven, type GateAnswer, type GateQuestion } from './answer.js';

const jumpReasons: ReadonlySet<string> = new Set([
  'below-index-floor',
  'missing-coverage',
  'required-stop',
  'below-minimum-version',
]);

/** @param route from and to the same releases, for the way to go instead */
export function gateAnswerOfCheck(result: SpanResult, { hops }: Pick<Route, 'hops'>): GateAnswer {
  const { fromVersion, toVersion, reasons, safe, jump, rolling, verdict } = result;
  const unsafe = reasonsOfKind(reasons, 'unsafe-release').map(({ version }) => version);
  const unknown = reasonsOfKind(reasons, 'unknown-release').map(({ version }) => version);
  const questions: GateQuestion[] = [
    {
      name: 'Direct upgrade',
      yes: jump === true,
      why: capped(
        reasons
          .filter(({ kind }) => jumpReasons.has(kind))
          .map((reason) => describeReason(reason, fromVersion)),
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
      ],
    },
  ];
  return {
    title: `upgrade-check ${fromVersion} -> ${toVersion}`,
    yes: safe,
    safe,
    verdict,
    strategy: rolling ? 'RollingUpdate' : 'Recreate',
    hops,
    questions,
  };
}
