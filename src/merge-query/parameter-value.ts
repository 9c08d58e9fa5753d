import * as z from 'zod/mini';

/** ParameterValue: one of string, number, array of string, array of number. */
const parameterValueSchema = z
  .union([z.string(), z.number(), z.array(z.string()), z.array(z.number())])
  .check(z.meta({ id: 'ParameterValue', description: 'a string, a number, or a list of either' }));

/** Parameter values by the parameter's name. */
export const parametersSchema = z.record(z.string(), parameterValueSchema);

export type ParameterValue = z.infer<typeof parameterValueSchema>;
export type Parameters = z.infer<typeof parametersSchema>;
