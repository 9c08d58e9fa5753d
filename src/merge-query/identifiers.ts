import * as z from 'zod/mini';

/** The name of a field in a query: a string of any characters (the contract sets no limit). */
export const fieldIdSchema = z.string();

/** "A UUID is a string in UUID version 4 format (RFC 4122)": no other version passes. */
export const uuidSchema = z.uuidv4();

/** A record that the contract leaves "not shown": it passes through untouched. */
export const notShownSchema = z.looseObject({});

/** A union and not `z.nullable`, whose error message does not say that null is allowed. */
export const rowsOrNullSchema = z
  .union([z.number(), z.null()])
  .check(z.describe('a finite number of rows, or null'));
export const stringOrNullSchema = z.union([z.string(), z.null()]).check(z.describe('a string or null'));

/** ParameterValue: one of string, number, array of string, array of number. */
const parameterValueSchema = z
  .union([z.string(), z.number(), z.array(z.string()), z.array(z.number())])
  .check(z.meta({ id: 'ParameterValue', description: 'a string, a number, or a list of either' }));

/** Parameter values by the parameter's name. */
export const parametersSchema = z.record(z.string(), parameterValueSchema);

/** ParameterValue of the contract: one of string, number, array of string, array of number. */
export type ParameterValue = z.infer<typeof parameterValueSchema>;
export type Parameters = z.infer<typeof parametersSchema>;
