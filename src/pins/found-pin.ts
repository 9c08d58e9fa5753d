import { LightspanError } from '../core/lightspan-error.js';
import type { PinnedRelease, PinSide } from '../core/pins.js';
import type { PinPattern } from './pin-pattern.js';

export interface FoundPin {
  readonly pattern: PinPattern;
  readonly file: string;
  readonly path: readonly string[];
  /** Which document of the file it is in, from 0; undefined if that is not known, or the only one. */
  readonly document: number | undefined;
  /** Identifies it within its file on both sides, whatever its position in a list. */
  readonly id: string;
  /** From 1; undefined if the file cannot be read up to the pin. */
  readonly line: number | undefined;
  readonly side: PinSide;
  /** Whether the image clearly belongs to another program, and only a `*` of the path matched it. */
  readonly isOther: boolean;
  /** Equal if all files that decide it are equal; undefined if not known, as behind a link. */
  readonly inputs: string | undefined;
  /** Whether the file cannot be read enough to find its pins: then this entry stands for all pins of its pattern. */
  readonly isWholeFile: boolean;
  /** What is pinned as it is written in the line, in a file that is neither YAML nor JSON. */
  readonly written?: string;
  /** Where that begins in the file. */
  readonly offset?: number;
  /** What stands there in YAML and JSON, with its variables filled in. */
  readonly value?: string | undefined;
}

export function newPin(
  pattern: PinPattern,
  file: string,
  side: PinSide,
  more: Partial<FoundPin> = {},
): FoundPin {
  const { path = pattern.path, id = path.join('.'), document, line, inputs } = more;
  const { isOther = false, isWholeFile = false } = more;
  return { ...more, pattern, file, path, document, id, line, side, isOther, inputs, isWholeFile };
}

export function sideOf(read: () => PinnedRelease): PinSide {
  return readOr((): PinSide => {
    const { version, digest, registry, repository } = read();
    return { state: 'pinned', release: { version, digest, registry, repository } };
  }, unreadable);
}

export function unreadable({ message, hint }: Pick<LightspanError, 'message' | 'hint'>): PinSide {
  return { state: 'unreadable', why: message, hint };
}

/** What is read, or what the fault gives where it is no pin. Any other error is thrown. */
export function readOr<T, F>(read: () => T, onFault: (fault: LightspanError) => F): T | F {
  try {
    return read();
  } catch (error) {
    return onFault(faultOfPin(error));
  }
}

export function faultOfPin(error: unknown): LightspanError {
  if (!(error instanceof LightspanError) || error.code !== 'invalid-pin') throw error;
  return error;
}
