import type * as z from 'zod/mini';
import type { DeepReadonly } from '../../core/common/deep-readonly.js';
import { stringifyExactJson } from '../../core/json/exact-json.js';
import type { Failure } from '../../core/lightspan-error.js';
import type { SpanResult } from '../../core/span.js';
import { printable } from '../../core/text/printable.js';
import type { UpgradeCheckResult } from './answer-schemas.js';

/** What a command writes by the schema that its file declares. */
export type ResultOf<Schema extends () => Promise<z.ZodMiniType>> = z.infer<Awaited<ReturnType<Schema>>>;

/**
 * One line of JSON with its own schema version: another form gets another number. The type argument is that of the
 * schema in `schemas/` that the line follows.
 */
export function renderDocument<Document extends { schemaVersion: '1' }>(
  fields: DeepReadonly<Omit<Document, 'schemaVersion'>> & object,
): string {
  return renderJsonLine({ schemaVersion: '1', ...fields });
}

export function renderJsonLine(value: unknown): string {
  return `${printable(stringifyExactJson(value))}\n`;
}

/** What `--json` writes if there is no answer: still one line, still with a boolean `safe`. */
export function renderFailureJson({ code, message, response }: Failure): string {
  return renderJsonLine({ safe: false, error: { code, message, response } });
}

/** The API's answer as it was parsed, in one line, with what the command adds to it. */
export function renderResponseJson(
  { status, results }: { readonly status: 'ok'; readonly results?: unknown },
  additions: Readonly<Record<string, unknown>> = {},
): string {
  return renderJsonLine({ schemaVersion: '1', status, results, ...additions });
}

/** Indented for a person, and still one JSON value for a program that reads the pipe. */
export function renderPrettyJson(value: unknown): string {
  return `${stringifyExactJson(value, 2).split('\n').map(printable).join('\n')}\n`;
}

/**
 * The public machine-readable form of the contract ("Upgrade-check result"): one line, exactly these nine keys in this
 * order. Existing automation refuses a tenth.
 */
export function renderUpgradeCheckJson(result: SpanResult): string {
  return `${JSON.stringify(upgradeCheckFields(result))}\n`;
}

export function upgradeCheckFields(result: SpanResult): DeepReadonly<UpgradeCheckResult> {
  const { fromVersion, toVersion, direction, safe, verdict } = result;
  const { requiredStops, minPreviousVersion, coveredVersions, missingRanges } = result;
  return {
    fromVersion,
    toVersion,
    direction,
    safe,
    verdict,
    requiredStops,
    minPreviousVersion,
    coveredVersions,
    missingRanges,
  };
}
