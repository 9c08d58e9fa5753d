import { describe, expect, it } from 'vitest';
import { parseImageReference, parseTagOrReference } from '../../src/instance/image-reference.js';

describe('an image reference', () => {
  it.each<[string, ...(string | undefined)[]]>([
    ['lightdash', undefined, 'lightdash', undefined, undefined],
    ['lightdash:1.2.3', undefined, 'lightdash', '1.2.3', undefined],
    ['lightdash/lightdash:1.2.3', undefined, 'lightdash/lightdash', '1.2.3', undefined],
    ['ghcr.io/acme/lightdash', 'ghcr.io', 'acme/lightdash', undefined, undefined],
    ['registry:5000/lightdash:1.2.3', 'registry:5000', 'lightdash', '1.2.3', undefined],
    ['registry:5000/lightdash', 'registry:5000', 'lightdash', undefined, undefined],
    ['localhost/lightdash:1.2.3', 'localhost', 'lightdash', '1.2.3', undefined],
    ['a/b@sha256:0123', undefined, 'a/b', undefined, 'sha256:0123'],
    ['a/b:1.2.3@sha256:0123', undefined, 'a/b', '1.2.3', 'sha256:0123'],
  ])('%s', (text, registry, repository, tag, digest) => {
    expect(parseImageReference(text)).toEqual({ registry, repository, tag, digest });
  });

  it.each<[string, ...(string | undefined)[]]>([
    ['1.2.3', undefined, '1.2.3', undefined],
    ['1.2.3@sha256:0123', undefined, '1.2.3', 'sha256:0123'],
    ['lightdash:1.2.3', 'lightdash', '1.2.3', undefined],
    ['lightdash/lightdash', 'lightdash/lightdash', undefined, undefined],
  ])('may be a tag alone: %s', (text, repository, tag, digest) => {
    expect(parseTagOrReference(text)).toEqual({ registry: undefined, repository, tag, digest });
  });
});
