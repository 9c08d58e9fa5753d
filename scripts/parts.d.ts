export const parts: Readonly<Record<string, Readonly<Record<string, readonly (readonly string[])[]>>>>;
