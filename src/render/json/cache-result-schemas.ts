import * as z from 'zod/mini';
import { countSchema } from '../../release-safety/field-schemas.js';

const folder = z
  .nullable(z.string())
  .check(z.describe('Null if there is no home folder: then nothing is kept.'));
const others = countSchema.check(
  z.describe('How many other entries the folder has; they are never touched.'),
);

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
