/**
 * The file names that docker compose finds by itself, in the order in which it takes the first, and what it joins to
 * that one.
 */
export const composeNames = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];

export const overrideNames = ['compose.override', 'docker-compose.override'].flatMap((name) => [
  `${name}.yml`,
  `${name}.yaml`,
]);

/**
 * The folder in which docker compose finds these files by itself, by their names; undefined if it must be given them. A
 * path without a folder is in `.`.
 */
export function folderFoundIn(files: readonly string[]): string | undefined {
  const [first, override, third] = files.map(splitPath);
  if (first === undefined || third !== undefined || !composeNames.includes(first.name)) return undefined;
  if (override === undefined) return first.folder;
  const isJoined = override.folder === first.folder && overrideNames.includes(override.name);
  return isJoined ? first.folder : undefined;
}

function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const slash = path.lastIndexOf('/');
  const folder = slash === 0 ? '/' : path.slice(0, Math.max(slash, 0)) || '.';
  return { folder, name: path.slice(slash + 1) };
}
