import { describe, expect, it } from 'vitest';
import { findLightdash } from '../../../src/pins/yaml/lightdash-places.js';
import { locatePin } from '../../../src/pins/yaml/locate-pin.js';
import { readPinFile } from '../../../src/pins/yaml/pin-documents.js';
import { nameOfPin, readPin } from '../../../src/pins/yaml/pinned-version.js';

const placesIn = (text: string, file = 'x.yaml') =>
  findLightdash(readPinFile(text, file)).map(({ path }) => path.join('.'));

const deployment = (name: string, image: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: {template: {spec: {containers: [{name: ${name}, image: "${image}"}]}}}\n`;

describe('where a file pins Lightdash', () => {
  it.each<[what: string, text: string, places: string[], file?: string]>([
    ['a mirror', 'image: {registry: q.io, repository: mirror/lightdash, tag: 1.2.3}', ['image.tag']],
    ['an own build', 'image: {repository: acme/lightdash-custom, tag: 1.2.3-x}', ['image.tag']],
    ['umbrella', 'lightdash: {image: {tag: 1.2.3}}\nredis: {image: {tag: 7.0.0}}', ['lightdash.image.tag']],
    ['a database of the umbrella', 'lightdash: {postgresql: {image: {tag: 16.1.0}}}', []],
    ['one with a repository', 'lightdash: {db: {image: {repository: bitnami/pg, tag: 16.1.0}}}', []],
    ['part of another', 'web: {image: {tag: 1.2.3}}', []],
    [
      'a worker in a folder of Lightdash',
      'worker: {image: {tag: 1.2.3}}',
      ['worker.image.tag'],
      'lightdash/x.yaml',
    ],
    [
      'compose with the whole image in a variable',
      'services: {lightdash: {image: "$IMAGE"}}',
      ['services.lightdash.image'],
    ],
    ['the database of Lightdash', 'services: {lightdash-db: {image: "postgres:16"}}', []],
    [
      'one that is written once',
      'services:\n  lightdash:\n    image: &i lightdash/lightdash:1.2.3\n  worker:\n    image: *i\n',
      ['services.lightdash.image'],
    ],
    [
      'kustomize with another name',
      'images: [{name: nginx, newTag: 1.2.3}, {name: lightdash/lightdash, newName: q.io/bi, newTag: 1.2.3}]',
      ['images.1.newTag'],
    ],
    ['a manifest', deployment('bi', 'lightdash/lightdash:1.2.3'), ['spec.template.spec.containers.0.image']],
    ['another container', deployment('nginx', 'nginx:1.2.3'), []],
    [
      'a HelmRelease of a chart that it does not name',
      'kind: HelmRelease\nspec: {chartRef: {kind: OCIRepository, name: x}, values: {image: {tag: 1.2.3}}}',
      ['spec.values.image.tag'],
    ],
    [
      'an Application of kustomize',
      'kind: Application\nspec: {source: {kustomize: {images: ["lightdash/lightdash:1.2.3", "nginx:1"]}}}',
      ['spec.source.kustomize.images.0'],
    ],
    ['a pipeline', 'image: node:22\nservices: [postgres:16]', []],
    ['no image', 'a: 1', []],
    ['nothing', '', []],
  ])('%s', (_, text, places, file) => {
    expect(placesIn(text, file)).toEqual(places);
  });

  it('reads what it finds, in the document where it is', () => {
    const text = `${deployment('nginx', 'nginx:1.2.3')}---\n${deployment('bi', 'lightdash/lightdash:1.3.0')}`;
    expect(readPin(text, locatePin('x.yaml', text, '--from-file')).version).toBe('1.3.0');
  });

  it('asks where there are two, with what to type', () => {
    const text = 'image: {tag: 1.2.3}\nlightdash: {image: {tag: 1.2.3}}';
    expect(() => locatePin('values.yaml', text, '--from-file')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: 'values.yaml pins Lightdash in 2 places',
        hint: "Name one of them: --from-file 'values.yaml#image.tag' or --from-file 'values.yaml#lightdash.image.tag'",
      }),
    );
  });

  it('asks for no place where values stand in two documents', () => {
    const text = 'image: {tag: 1.2.3}\n---\nimage: {tag: 1.3.0}\n';
    expect(() => locatePin('values.yaml', text, '--from-file')).toThrow(
      expect.objectContaining({
        code: 'invalid-pin',
        message: expect.stringContaining('Helm 3 takes the first'),
      }),
    );
  });

  it('asks where there is none', () => {
    expect(() => locatePin('values.yaml', 'a: 1', '--to-file')).toThrow(
      expect.objectContaining({
        code: 'usage',
        hint: expect.stringContaining("--to-file 'values.yaml#image.tag'"),
      }),
    );
  });

  it('takes the path that is given', () => {
    expect(nameOfPin(locatePin('a.yaml#x.tag', 'a: 1', '--file'))).toBe('a.yaml#x.tag');
  });
});
