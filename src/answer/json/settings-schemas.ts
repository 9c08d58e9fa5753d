import * as z from 'zod/mini';
import { versionSchema } from '../../core/field-schemas.js';
import { acceptedSchema } from './answer-schemas.js';

export const settingsResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  file: z
    .nullable(z.string())
    .check(z.describe('The file in force, and in a change its commit; null if none.')),
  settings: z
    .array(
      z.strictObject({
        key: z.string().check(z.describe('As in the file, such as helm.values.')),
        value: z.union([z.string(), z.number(), z.array(z.string())]),
        from: z.string().check(z.describe('The file, an environment variable, or default.')),
      }),
    )
    .check(z.describe('What counts; only knownIssues can appear twice, and then both count.')),
  ignore: z.array(z.strictObject({ path: z.string(), reason: z.string() })),
  accept: z.array(acceptedSchema),
});

export const initResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  file: z.string(),
  settings: z
    .record(z.string(), z.unknown())
    .check(z.describe('What was written, by the schema settings.json.')),
  pinned: z
    .array(z.strictObject({ file: z.string(), path: z.string(), version: versionSchema }))
    .check(z.describe('Every pin of Lightdash that was found, written or not.')),
  runningVersion: z
    .nullable(versionSchema)
    .check(z.describe('What --instance or --kubernetes shows to run; null if neither does.')),
  notFound: z.array(z.string()).check(z.describe('What a person has to add.')),
});

export type SettingsResult = z.infer<typeof settingsResultSchema>;
export type InitResult = z.infer<typeof initResultSchema>;
