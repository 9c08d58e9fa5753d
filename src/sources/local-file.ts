/** What went wrong with a local file, in words. */
export function describeFileFault(error: unknown): string {
  if (hasErrorCode(error, 'ENOENT')) return 'there is no such file';
  if (hasErrorCode(error, 'EISDIR')) return 'it is a folder, not a file';
  if (hasErrorCode(error, 'ENOTDIR')) return 'a part of its path is a file, not a folder';
  if (hasErrorCode(error, 'EACCES') || hasErrorCode(error, 'EPERM')) return 'permission denied';
  if (hasErrorCode(error, 'EROFS')) return 'the file system is read-only';
  if (hasErrorCode(error, 'ELOOP')) return 'links lead in a circle';
  if (hasErrorCode(error, 'ENOSPC')) return 'no space is left';
  return error instanceof Error ? error.message : String(error);
}

/** The same for a file that was to be written: what there is not is its folder. */
export function describeWriteFault(error: unknown): string {
  return hasErrorCode(error, 'ENOENT') ? 'there is no such folder' : describeFileFault(error);
}

export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
