import type * as z from 'zod/mini';
import type { instanceStateSchema, probeSchema, verifyOutcomeSchema } from './instance-state-schema.js';
import { parseVersion } from './release-safety/version.js';
import type { DeepReadonly } from './shared/deep-readonly.js';

export type InstanceState = DeepReadonly<z.infer<typeof instanceStateSchema>>;
export type Probe = z.infer<typeof probeSchema>;
export type VerifyOutcome = z.infer<typeof verifyOutcomeSchema>;

/** The first release that has `/api/v1/readyz`. */
export const firstReleaseWithReadyz = parseVersion('1.129.0');
