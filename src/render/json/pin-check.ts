import type { JudgedPin, PinCheck } from '../../release-safety/pins.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { JudgedBy } from '../words/judged-by.js';
import type { LeftOut } from '../words/left-out.js';
import { describePinFinding } from '../words/pin-changes.js';
import type { FindingFields } from './answer-schemas.js';
import { renderDocument } from './document.js';
import type { PinCheckResult } from './pin-check-schema.js';
import { upgradeCheckFields } from './upgrade-check.js';

/** The answer about the pins of a change for a program: one line, with its own schemaVersion. */
export function renderPinCheckJson(
  { passes, safe, before, after, accepted, pins }: PinCheck<FindingFields>,
  {
    index,
    leftOut,
    judgedBy,
    searched,
  }: {
    readonly index: DeepReadonly<PinCheckResult['index']>;
    readonly leftOut: LeftOut;
    readonly judgedBy: JudgedBy;
    readonly searched: DeepReadonly<PinCheckResult['searched']>;
  },
): string {
  return renderDocument<PinCheckResult>({
    passes,
    safe,
    before: { name: before.name, commit: before.commit ?? null },
    after: { name: after.name, commit: after.commit ?? null },
    accepted,
    index,
    ...leftOut,
    judgedBy,
    searched,
    pins: pins.map(pinOf),
  });
}

function pinOf(pin: JudgedPin<FindingFields>): DeepReadonly<PinCheckResult['pins'][number]> {
  const { file, path, line, previousFile, from, to, finding, stops, passes } = pin;
  return {
    file,
    path: path.join('.'),
    line: line ?? null,
    previousFile: previousFile ?? null,
    fromVersion: from ?? null,
    toVersion: to ?? null,
    finding: finding.kind,
    passes,
    message: describePinFinding(finding),
    check: 'check' in finding ? upgradeCheckFields(finding.check) : null,
    stops,
  };
}
