import { parseVersion, type Version } from './release-safety/version.js';

/** What an instance said of itself at one moment. */
export type InstanceState =
  /** It is ready, and this is the release that it serves. */
  | { readonly kind: 'ready'; readonly version: Version; readonly probe: Probe }
  /** It says that it is not, and why: `schema_pending`, `db_unavailable`, or whatever else it gave as its reason. */
  | {
      readonly kind: 'not-ready';
      readonly status: number;
      readonly reason: string | undefined;
      readonly probe: Probe;
    }
  /** A migration is parked, ready or not: that does not pass by itself. */
  | { readonly kind: 'parked'; readonly status: number }
  /** It says that it is ready, and not which release it serves. */
  | { readonly kind: 'unknown-version'; readonly message: string }
  /** It did not answer. */
  | { readonly kind: 'unreachable'; readonly message: string };

/** What was asked whether it is ready: `/api/v1/readyz`, or `/api/v1/health` of a release that has no readyz yet. */
export type Probe = 'readyz' | 'health';

/** The first release that has `/api/v1/readyz`. */
export const firstReleaseWithReadyz = parseVersion('1.129.0');

/** How upgrade-verify ended: `superseded` is a release newer than the one that was deployed, and ready. */
export type VerifyOutcome = 'verified' | 'superseded' | 'not-verified';
