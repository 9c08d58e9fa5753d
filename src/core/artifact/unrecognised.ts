/** Whether an advisory is in another form than the documented one, and stands as it came. */
export function isUnrecognised<T extends object>(
  advisory: T,
): advisory is Extract<T, { readonly unrecognised: unknown }> {
  return 'unrecognised' in advisory;
}
