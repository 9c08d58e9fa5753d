import * as z from 'zod/mini';
import { LightspanError } from '../errors.js';
import { parseWith } from '../shared/parse-with.js';
import { readYaml } from './yaml.js';

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
