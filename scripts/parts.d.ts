export const parts: Readonly<Record<string, Readonly<Record<string, readonly (readonly string[])[]>>>>;
/** Folders of `test/`. */
export const roomsWithoutProcesses: readonly string[];
