import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** A validator by the committed JSON Schema of that name, made by other hands than ours. */
export function validatorOf(file: string): (value: unknown) => boolean {
  // Formats are annotations in draft 7; every one we use stands beside a pattern.
  const ajv = new Ajv({ allowUnionTypes: true, validateFormats: false });
  return ajv.compile<unknown>(JSON.parse(readFileSync(`schemas/${file}`, 'utf8')));
}
