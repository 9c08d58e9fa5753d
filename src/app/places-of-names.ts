import { readFileText } from '../read/files/read-file.js';
import { readYamlDocuments, scalarsIn, type YamlDocument } from '../read/files/yaml.js';

interface PlaceInFile {
  readonly file: string;
  readonly line: number;
}

/**
 * Where files of a deployment have what findings are about: a workload by its kind and name (`Deployment x`, of compose
 * `service x`), and a value by its path. The first file that has it counts.
 *
 * @returns finds the first of some names
 */
export async function placesOfNames(
  files: readonly string[],
): Promise<(names: readonly string[]) => PlaceInFile | undefined> {
  const places = new Map<string, PlaceInFile>();
  for (const file of files) {
    const reading = readYamlDocuments(await readFileText(file));
    if (!reading.ok) continue;
    for (const document of reading.documents) {
      for (const { path, scalar } of scalarsIn(document)) {
        const { line } = reading.positionAt(scalar.range?.[0] ?? 0);
        for (const name of namesAt(path, scalar.value, document))
          if (!places.has(name)) places.set(name, { file, line });
      }
    }
  }
  return (names) => {
    const known = names.find((name) => places.has(name));
    return known === undefined ? undefined : places.get(known);
  };
}

/** What may be said of a scalar by name: a value by its path, and the object that its name is of. */
function namesAt(path: readonly string[], value: unknown, { document }: YamlDocument): readonly string[] {
  const [services, service] = path;
  if (services === 'services' && path.length > 2) return [`service ${service}`];
  const isName = path.at(-1) === 'name' && path.at(-2) === 'metadata';
  const kind = isName ? document.getIn([...path.slice(0, -2), 'kind']) : undefined;
  return kind === undefined ? [path.join('.')] : [`${String(kind)} ${String(value)}`];
}
