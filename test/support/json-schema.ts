import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

// Formats are annotations in draft 7; every one we use stands beside a pattern.
const ajv = new Ajv({ allowUnionTypes: true, validateFormats: false });
const validators: Record<string, (value: unknown) => boolean> = {};

/** A validator by the committed JSON Schema of that name, made by other hands than ours; of each once. */
export function validatorOf(file: string): (value: unknown) => boolean {
  validators[file] ??= ajv.compile<unknown>(JSON.parse(readFileSync(`schemas/${file}`, 'utf8')));
  return validators[file];
}
