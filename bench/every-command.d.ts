import type { RequestListener } from 'node:http';

export declare const uuid: string;

export declare const metricQuery: Readonly<Record<string, unknown>>;

export declare const answerAsInstance: RequestListener;

/** By the name of the command: the arguments, and the exit code that it ends with. */
export declare function everyCommand(world: {
  /** A file or URL. */
  readonly index: string;
  /** Options that name an index whose artifacts can be read. */
  readonly published: readonly string[];
  /** The address of what `answerAsInstance` serves. It takes LIGHTDASH_URL, LIGHTDASH_PROJECT and LIGHTDASH_API_KEY too. */
  readonly instance: string;
  /** A release newer than 1.121.0, and whether the span up to it is safe. */
  readonly to: string;
  readonly safe: boolean;
  /** A `values.yaml` whose `image.tag` is 1.121.0. */
  readonly pin: string;
  readonly metricQueryFile: string;
  readonly mirrorFolder: string;
}): Readonly<Record<string, readonly [args: readonly string[], exit: number]>>;
