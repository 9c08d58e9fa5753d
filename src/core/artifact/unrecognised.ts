/** Whether an advisory has another form than the documented one, so that it is kept unchanged. */
export function isUnrecognised<T extends object>(
  advisory: T,
): advisory is Extract<T, { readonly unrecognised: unknown }> {
  return 'unrecognised' in advisory;
}
