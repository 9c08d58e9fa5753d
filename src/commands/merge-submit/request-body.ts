import { LightspanError } from '../../errors.js';
import { isRecord } from '../../shared/is-record.js';
import type { Parameters } from './parameters.js';

export type RequestBody = Readonly<Record<string, unknown>>;

export interface Overrides {
  readonly mode?: 'interactive' | 'export' | undefined;
  readonly exportLimit?: number | 'all' | undefined;
  readonly parameters?: Parameters | undefined;
  readonly invalidateCache?: true | undefined;
  readonly context?: string | undefined;
}

/**
 * The body to send: the file's, with what the flags say instead.
 *
 * @param file what the merge file holds; nothing of it is taken for granted, for it may go unvalidated
 */
export function buildRequestBody(file: RequestBody, overrides: Overrides): RequestBody {
  const { parameters, invalidateCache, context = file.context ?? 'cli' } = overrides;
  const mode = modeOf(file.mode, overrides);
  return {
    ...file,
    ...(mode === undefined ? {} : { mode }),
    ...(parameters === undefined
      ? {}
      : {
          parameters: {
            ...(isRecord(file.parameters) ? file.parameters : {}),
            ...parameters,
          },
        }),
    ...(invalidateCache === undefined ? {} : { invalidateCache }),
    context,
  };
}

/**
 * YAML can say `.nan` and `.inf`, and JSON cannot: it would turn them into null, which means something else.
 *
 * @throws {LightspanError} `usage`
 */
export function requireFiniteNumbers(body: RequestBody): void {
  JSON.stringify(body, (key, value: unknown) => {
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    throw new LightspanError('usage', `${key} is ${value}, and no JSON request can carry that`);
  });
}

/** `--mode export` alone keeps the limit of the file, and where that has none asks for all rows. */
function modeOf(ofFile: unknown, { mode, exportLimit }: Overrides): unknown {
  if (exportLimit !== undefined) return { type: 'export', limit: exportLimit === 'all' ? null : exportLimit };
  if (mode === 'export') {
    return isRecord(ofFile) && ofFile.type === 'export' ? ofFile : { type: 'export', limit: null };
  }
  return mode === undefined ? ofFile : { type: mode };
}
