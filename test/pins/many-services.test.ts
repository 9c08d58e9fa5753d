import { expect, it } from 'vitest';
import { lookAtChange } from '../../src/pins/change.js';
import { treeOfTexts } from '../../src/pins/pin-tree.js';

/** Services of one image, the last of them at a release of its own. */
const compose = (count: number, version: string, last = version) => {
  const services = Array.from(
    { length: count },
    (_, i) =>
      `  bi${i}:\n    image: lightdash/lightdash:${i === count - 1 ? last : version}\n    environment: {A: b}\n`,
  );
  return `services:\n${services.join('')}`;
};

/** Releases of Helm, each with its tag. */
const terraform = (count: number, version: string) =>
  Array.from(
    { length: count },
    (_, i) =>
      `resource "helm_release" "bi${i}" {\n  chart = "lightdash"\n  set {\n    name  = "image.tag"\n    value = "${version}"\n  }\n}\n`,
  ).join('');

const [before, after] = ['1.121.0', '1.121.1'];

it.each<[what: string, file: string, was: (count: number) => string, is: (count: number) => string]>([
  [
    'services of one image',
    'compose.yaml',
    (count) => compose(count, before),
    (count) => compose(count, after),
  ],
  [
    'services, one of which is at another release',
    'compose.yaml',
    (count) => compose(count, before),
    (count) => compose(count, after, '1.121.9'),
  ],
  [
    'releases in Terraform',
    'main.tf',
    (count) => terraform(count, before),
    (count) => terraform(count, after),
  ],
])(
  'ten times as many %s are looked at in some ten times the time',
  { timeout: 240_000 },
  async (_, file, was, is) => {
    /** The processor time of this process, in microseconds: of the fastest of so many rounds. */
    const timeOf = async (count: number, rounds: number) => {
      const times: number[] = [];
      for (let i = 0; i < rounds; i++) {
        const start = process.cpuUsage();
        const [old, now] = [treeOfTexts({ [file]: was(count) }), treeOfTexts({ [file]: is(count) })];
        const { before: pins } = await lookAtChange(old, now, { tagSuffix: undefined });
        times.push(process.cpuUsage(start).user);
        expect(pins.length).toBeGreaterThanOrEqual(count);
      }
      return Math.min(...times);
    };
    const few = await timeOf(500, 5);
    // If each place is looked at once for each other one, it is forty to a hundred times.
    expect((await timeOf(5_000, 2)) / few).toBeLessThan(25);
  },
);
