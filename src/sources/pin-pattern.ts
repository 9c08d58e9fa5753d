import picomatch from 'picomatch';
import * as z from 'zod/mini';
import { LightspanError } from '../errors.js';
import { parseWith } from '../shared/parse-with.js';
import { readYaml } from './yaml.js';

/** Which values of which files are pins. */
export interface PinPattern {
  /** As written: `envs/*` + `/values.yaml#image.tag`. */
  readonly text: string;
  /** The file, from the root of the repository; may contain globs. */
  readonly files: string;
  /** Keys; `*` stands for every key of a map and every item of a list. */
  readonly path: readonly string[];
  readonly matches: (file: string) => boolean;
  /** Whether matching files may be in a folder, or below it. */
  readonly leadsThrough: (folder: string) => boolean;
}

/**
 * Reads `<glob>#<path.to.value>`. Wildcards also match names that begin with a dot.
 *
 * @throws {LightspanError} `usage`
 */
export function parsePinPattern(text: string): PinPattern {
  const hash = text.lastIndexOf('#');
  const files = text.slice(0, Math.max(hash, 0)).replace(/^\.\//, '');
  const path = text.slice(hash + 1).split('.');
  const refuse = (why: string, hint: string) =>
    new LightspanError('usage', `--pin ${JSON.stringify(text)}: ${why}`, { hint });
  if (files === '' || path.includes('') || /\p{Cc}/u.test(text)) {
    throw refuse(
      'it does not name values in files',
      "Write the file and the path of the value in it, for example 'envs/*/values.yaml#image.tag'.",
    );
  }
  if (/^\/|^[a-z]:[\\/]|(^|\/)\.\.(\/|$)|\\/i.test(files)) {
    throw refuse(
      'the file is not named from the root of the repository',
      'Write it with /, without a leading one and without "..".',
    );
  }
  if (/\.tfvars$/i.test(files)) {
    throw refuse(
      'lightspan does not read the language of Terraform',
      'Keep the variable in a file that Terraform reads as JSON, such as lightdash.auto.tfvars.json, and name that.',
    );
  }
  // Names may contain line breaks, which a dot in picomatch's expressions would not match.
  const matcherOf = (glob: string) => picomatch(glob, { dot: true, flags: 's' });
  const matchesGlob = matcherOf(files);
  const parts = files.split('/');
  const folders = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
  const matchFolder = folders.map(matcherOf);
  return {
    ...{ text, files, path },
    matches: (file) => file === files || matchesGlob(file),
    leadsThrough: (folder) => folders.includes(folder) || matchFolder.some((matches) => matches(folder)),
  };
}

/** Whether it is a file of variables, one `NAME=value` per line. */
export function isVariablesFile(file: string): boolean {
  return /(^|\/)(\.env(\.[^/]+)?|[^/]+\.env)$/.test(file);
}

/** The file that `pin-check` reads if no pins are given. */
export const pinsFileName = 'lightspan.pins.yaml';

/** The pins of a repository, for calls that do not name them on the command line. */
export const pinsFileSchema = z.strictObject({
  $schema: z.optional(z.string().check(z.describe('This schema, for an editor.'))),
  pins: z
    .array(
      z
        .string()
        .check(
          z.minLength(1),
          z.describe('In the form of --pin, such as envs/*' + '/values.yaml#image.tag.'),
        ),
    )
    .check(z.minLength(1)),
});

/**
 * Reads a pins file.
 *
 * @param name of the file, for messages
 * @throws {LightspanError} `usage` with every fault of it
 */
export function readPinsFile(text: string, name: string): readonly string[] {
  const refuse = (faults: readonly string[]) =>
    new LightspanError('usage', `${name} is no list of pins: ${faults.slice(0, 5).join('; ')}`, {
      hint: "Write it as: pins: ['envs/*/values.yaml#image.tag']",
    });
  const reading = readYaml(text);
  if (!reading.ok) {
    throw refuse(reading.faults.map(({ line, column, message }) => `${line}:${column}: ${message}`));
  }
  const parsed = parseWith(pinsFileSchema, reading.value);
  if (parsed.ok) return parsed.value.pins;
  throw refuse(
    parsed.problems.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    ),
  );
}
