import * as z from 'zod/mini';
import type { DeepReadonly } from '../core/deep-readonly.js';

export const stepSchema = z.strictObject({
  title: z.string(),
  values: z.optional(
    z.strictObject({
      file: z.string(),
      yaml: z.string().check(z.describe('What to put into that file.')),
    }),
  ),
  commands: z
    .array(z.string())
    .check(z.describe('One command each, for a POSIX shell that stops at the first failure.')),
  notes: z.array(z.string()),
});

export type RenderedStep = DeepReadonly<z.infer<typeof stepSchema>>;
