export declare function compiledAtOnce(
  program: string,
  files: readonly { readonly path: string; readonly text: string }[],
  commandLines: readonly (readonly string[])[],
): Promise<string>;
