import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { declarationOf } from '../../cli/declare.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { isUrlOrTemplate } from '../../read/publisher/publisher-urls.js';
import { leadsOut, type SettingsInForce, shownPath } from './in-force.js';

/** The options whose settings, which do not have their names, are paths. */
const paths = ['fromFile', 'file', 'values', 'compose', 'composeEnvFile'];

/** A command whose options the settings fill, and what came of it so far. */
export interface Filling {
  readonly command: Command;
  /** Where the file of the settings lies: paths in it begin there. */
  readonly folder: string;
  /** The file of the settings, as it is shown. */
  readonly shown: string;
  /** What the answer says of the settings: their file, then what to know of a value. */
  readonly used: string[];
  /** Where evidence comes from, such as index and known issues, as far as the settings say it. */
  readonly sources: string[];
  isUsed: boolean;
  /** Whether the command has the option. */
  has(attribute: string): boolean;
  /** Whether any of these has a value, by whomever. */
  isGiven(...options: readonly string[]): boolean;
  /** A path of the settings, as the command line would name it. */
  near(path: string): string;
  /** Sets an option, if the command has it and none of the last (by default itself) is given. */
  set(attribute: string, texts?: string | readonly string[], unless?: readonly string[]): void;
}

export function startFilling(command: Command, inForce: SettingsInForce): Filling {
  const { root, shown, isChanged = false } = inForce;
  const folder = dirname(inForce.file);
  const used = [shown];
  const sources: string[] = [];

  const isGiven = (...options: readonly string[]) =>
    options.some((option) => !['default', undefined].includes(command.getOptionValueSource(option)));
  const near = (path: string) => {
    if (isUrlOrTemplate(path)) return path;
    // What follows the file may be an expression, with slashes of its own.
    const [, name = '', place = ''] = /^([^#]*)(.*)$/s.exec(path) ?? [];
    const whole = resolve(folder, name);
    if (leadsOut(whole, root)) used.push(`${path} is outside the repository`);
    return `${shownPath(whole)}${place}`;
  };
  const set: Filling['set'] = (attribute, texts = [], unless = [attribute]) => {
    const option = command.options.find(
      (candidate) => candidate.attributeName() === attribute && !candidate.negate,
    );
    if (option === undefined || texts.length === 0 || isGiven(...unless)) return;
    const isSource = declarationOf(option)?.setting?.isSource === true;
    const isPath = isSource || paths.includes(attribute);
    const values = [texts].flat().map((text) => (isPath ? near(text) : text));
    if (isSource) sources.push(...values);
    let value: unknown = isGiven(attribute) ? command.getOptionValue(attribute) : undefined;
    try {
      for (const text of values) value = option.parseArg?.(text, value) ?? true;
    } catch (error) {
      const why = String(error).replace(/^\w+: (--\S+: )?/, '');
      throw new LightspanError('usage', `${shown}: ${option.long}: ${why}`, { cause: error });
    }
    command.setOptionValueWithSource(attribute, value, 'settings');
    filling.isUsed = true;
  };
  const has = (attribute: string) => command.options.some((option) => option.attributeName() === attribute);
  const filling: Filling = {
    command,
    folder,
    shown,
    used,
    sources,
    isUsed: isChanged,
    has,
    isGiven,
    near,
    set,
  };
  return filling;
}
