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
 * The body to send: the file's, with the flags taking precedence.
 *
 * @param file the content of the merge file; it may be unvalidated, so nothing is assumed about it
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

/** `--mode export` alone keeps the limit of the file; if there is none, it requests all rows. */
function modeOf(ofFile: unknown, { mode, exportLimit }: Overrides): unknown {
  if (exportLimit !== undefined) return { type: 'export', limit: exportLimit === 'all' ? null : exportLimit };
  if (mode === 'export') {
    return isRecord(ofFile) && ofFile.type === 'export' ? ofFile : { type: 'export', limit: null };
  }
  return mode === undefined ? ofFile : { type: mode };
}
