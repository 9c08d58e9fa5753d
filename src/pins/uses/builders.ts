import { posix } from 'node:path';
import { isMap } from 'yaml';
import { keyText } from '../../read/files/yaml.js';
import { entriesOfLines } from '../entries.js';
import { isComposeFile } from '../kinds/variables.js';
import { namesUsedIn } from '../names/reference.js';
import { decoded, type PinTree } from '../pin-tree.js';
import { readIfYaml } from '../yaml/open.js';
import { type User, userOf } from './users.js';

/**
 * Compose files whose services are built by a Dockerfile that refers to Lightdash: their images are Lightdash's, whatever
 * their names.
 */
export async function buildersIn(tree: PinTree, users: ReadonlySet<User>): Promise<readonly User[]> {
  const built = new Set(
    [...users].map(({ file }) => file).filter((file) => /(?:Docker|Container)file/i.test(file)),
  );
  const found: User[] = [];
  for (const [file, entry] of built.size === 0 ? [] : tree.files) {
    if (entry.kind !== 'file' || !isComposeFile(file)) continue;
    const text = decoded(await tree.read(entry));
    const own = servicesIn(text, file).filter(({ dockerfile }) => built.has(dockerfile));
    if (own.length === 0) continue;
    const user = userOf(file, text, entriesOfLines(text));
    const takesFrom = new Set(own.flatMap(({ image }) => namesUsedIn(image)));
    const services = new Set(own.map(({ name }) => name));
    // It may have no word by which it would be looked at.
    found.push({ ...user, takesFrom, services, paths: new Set([...user.paths, file]) });
  }
  return found;
}

function servicesIn(text: string, file: string) {
  if (!text.includes('build')) return [];
  const folder = posix.dirname(file);
  return (readIfYaml(text, file)?.documents ?? []).flatMap(({ document }) => {
    const services = document.get('services');
    return (isMap(services) ? services.items : []).flatMap(({ key, value }) => {
      const build = isMap(value) ? value.get('build') : undefined;
      if (!isMap(value) || build === undefined) return [];
      const [context, name] = isMap(build) ? [build.get('context'), build.get('dockerfile')] : [build];
      const dockerfile = posix.join(folder, String(context ?? '.'), String(name ?? 'Dockerfile'));
      return [{ name: keyText(key), image: String(value.get('image')), dockerfile }];
    });
  });
}
