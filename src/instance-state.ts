/** What an instance said of itself at one moment. */
export type InstanceState =
  /** It is ready, and this is the release that it serves. */
  | { readonly kind: 'ready'; readonly version: string }
  /** It says that it is not, and why: `schema_pending`, `migration_parked`, or whatever else it gave as its reason. */
  | { readonly kind: 'not-ready'; readonly status: number; readonly reason: string | undefined }
  /** It says that it is ready, and not which release it serves. */
  | { readonly kind: 'unknown-version'; readonly message: string }
  /** It did not answer. */
  | { readonly kind: 'unreachable'; readonly message: string };
