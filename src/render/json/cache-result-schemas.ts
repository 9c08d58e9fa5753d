import * as z from 'zod/mini';
import { countSchema } from '../../release-safety/field-schemas.js';

const folder = z
  .nullable(z.string())
  .check(z.describe('null where there is no home folder to keep anything in, and nothing is kept.'));
const others = countSchema.check(z.describe('What else is in the folder, which is never touched.'));

export const cacheStatusResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  folder,
  files: countSchema,
  bytes: countSchema,
  others,
});

export const cacheClearResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  folder,
  removed: countSchema,
  bytes: countSchema,
  others,
});

export type CacheStatusResult = z.infer<typeof cacheStatusResultSchema>;
export type CacheClearResult = z.infer<typeof cacheClearResultSchema>;
