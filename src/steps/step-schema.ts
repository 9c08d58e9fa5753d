import * as z from 'zod/mini';
import type { DeepReadonly } from '../core/common/deep-readonly.js';

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
    .check(
      z.describe(
        'One command each, for a POSIX shell that stops at the first failure; those of the preamble come first.',
      ),
    ),
  notes: z.array(z.string()),
  look: z.array(z.string()).check(z.describe('Which of the commands only look: they stop before a change.')),
  failure: z.string().check(z.describe('What it means if it stops here.')),
  continuation: z.string().check(z.describe('What a run that begins here does first.')),
  undo: z.string().check(z.describe('What takes it back.')),
});

export type RenderedStep = DeepReadonly<z.infer<typeof stepSchema>>;
