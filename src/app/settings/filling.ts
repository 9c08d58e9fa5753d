import { LightspanError } from '../../core/lightspan-error.js';
import type { GivenOptions, OptionValues } from '../../question/settings.js';

/** The options that hold paths and are filled by settings of other names. */
const paths = ['fromFile', 'file', 'values', 'compose', 'composeEnvFile'];

/** The options of one command line while settings fill them. */
export interface Filling {
  /** Options that the settings gave a value. */
  readonly filled: OptionValues;
  /** Remarks on single values, for the answer. */
  readonly remarks: string[];
  /** The places of evidence that the settings name, such as an index or known issues. */
  readonly sources: string[];
  isUsed: boolean;
  /** Whether the command has the option. */
  has(name: string): boolean;
  /** Whether one of these options has a value that is no default, from the command line or from settings. */
  isGiven(...names: readonly string[]): boolean;
  valueNow(name: string): unknown;
  /** A path of the settings, relative to the working folder, as the command line would name it. */
  near(path: string): string;
  /** Fills an option if the command has it and none of `unless`, by default the option itself, is given. */
  set(name: string, texts?: string | readonly string[], unless?: readonly string[]): void;
}

/** A path of the settings as the command line would name it, and whether it leads out of their repository. */
export type NearPath = (path: string) => { readonly path: string; readonly leadsOut: boolean };

/** @param shown the file of the settings, as it is shown */
export function startFilling(
  { options, values, byCommandLine }: GivenOptions,
  shown: string,
  nearPath: NearPath,
): Filling {
  const filled: Record<string, unknown> = {};
  const remarks: string[] = [];
  const sources: string[] = [];
  const valueNow = (name: string) => (Object.hasOwn(filled, name) ? filled[name] : values[name]);
  const isGiven = (...names: readonly string[]) =>
    names.some((name) => byCommandLine.has(name) || Object.hasOwn(filled, name));
  const near = (text: string) => {
    const { path, leadsOut } = nearPath(text);
    if (leadsOut) remarks.push(`${text} is outside the repository`);
    return path;
  };
  const set: Filling['set'] = (name, texts = [], unless = [name]) => {
    const option = options.find((candidate) => candidate.name === name);
    if (option === undefined || texts.length === 0 || isGiven(...unless)) return;
    const isSource = option.setting?.isSource === true;
    const isPath = isSource || paths.includes(name);
    const all = [texts].flat().map((text) => (isPath ? near(text) : text));
    if (isSource) sources.push(...all);
    let value: unknown = isGiven(name) ? valueNow(name) : undefined;
    try {
      for (const text of all) value = option.parse(text, value);
    } catch (error) {
      const why = String(error).replace(/^\w+: (--\S+: )?/, '');
      throw new LightspanError('usage', `${shown}: ${option.flag}: ${why}`, { cause: error });
    }
    filled[name] = value;
    filling.isUsed = true;
  };
  const has = (name: string) => options.some((option) => option.name === name);
  const filling: Filling = { filled, remarks, sources, isUsed: false, has, isGiven, valueNow, near, set };
  return filling;
}
