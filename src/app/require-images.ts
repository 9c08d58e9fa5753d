import { publishersImage } from '../core/lightdash-name.js';
import { LightspanError } from '../core/lightspan-error.js';
import type { CommandContext } from '../door/context.js';
import type { Pin } from '../pins/yaml/pin-at.js';
import type { Network } from '../question/network.js';

/**
 * Asks the registries whether they have every image that a moved pin names.
 *
 * @param pin as it is moved
 * @throws {LightspanError} `image-absent` if one is not there; the errors of `hasManifest` if that is not known
 */
export async function requireImages(
  { tag, images }: Pick<Pin, 'tag' | 'images'>,
  { timeoutMs }: Pick<Network, 'timeoutMs'>,
  { env }: Pick<CommandContext, 'env'>,
): Promise<void> {
  const { hasManifest } = await import('../gather/registry/manifest.js');
  const looked = new Set<string>();
  for (const { registry, repository = publishersImage } of images) {
    const name = [registry, `${repository}:${tag}`].filter((part) => part !== undefined).join('/');
    if (looked.has(name)) continue;
    looked.add(name);
    const world = { env, timeoutMs };
    if (await hasManifest({ registry, repository, tag }, world)) continue;
    throw new LightspanError('image-absent', `the registry has no image ${name}`, {
      hint: 'Nothing was written. Wait until it is published or mirrored. If the tag has a suffix, pass --tag-suffix.',
    });
  }
}
