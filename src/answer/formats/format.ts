import type { Failure } from '../../core/lightspan-error.js';
import type { Answer } from '../answer.js';
import type { Palette } from './palette.js';

/**
 * One way to write an answer, a file each of this folder, which `registry.ts` lists. It knows no command, and does no
 * I/O. JSON is the result itself, and no form of an answer.
 */
export interface Format {
  readonly write: (answer: Answer, run: FormatRun) => string;
  /** What is written if there is no answer. It is never a yes. */
  readonly writeFailure: (failure: Failure, exitCode: number) => string;
  /** What the runner of a job reads besides standard output. */
  readonly files?: JobFiles;
}

interface FormatRun {
  readonly exitCode: number;
  /** For what is part of the log of a job. */
  readonly text: TextOptions;
}

export interface TextOptions {
  readonly palette: Palette;
  /** Whether to list everything, however much. */
  readonly verbose: boolean;
  /** Columns of the terminal; undefined if the output is not a terminal. */
  readonly width: number | undefined;
  /** Whether the terminal has no letters beyond ASCII. */
  readonly isAscii?: boolean;
  /** The drawing of the releases by `renderStrip`, for a terminal. */
  readonly strip?: readonly string[] | undefined;
}

/** Texts to append to the files that the environment names. */
type JobTexts = Partial<Record<'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY', string>>;

interface JobFiles {
  /** Before the answer is written: until it has been accepted, the outputs say that there is none. */
  readonly before: (answer: Answer) => JobTexts;
  /** @param delimiter a random text that no value can contain */
  readonly after: (answer: Answer, exitCode: number, delimiter: string) => JobTexts;
  readonly failed: (failure: Failure, exitCode: number) => JobTexts;
}
