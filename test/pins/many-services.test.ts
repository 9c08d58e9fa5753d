import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { lookAtChange } from '../../src/pins/change.js';
import { treeOfTexts } from '../../src/pins/pin-tree.js';

/** Services of one image, the last of them at a release of its own. */
const compose = (version: string, last = version) => {
  const services = Array.from(
    { length: 5_000 },
    (_, i) =>
      `  bi${i}:\n    image: lightdash/lightdash:${i === 4_999 ? last : version}\n    environment: {A: b}\n`,
  );
  return `services:\n${services.join('')}`;
};

/** Releases of Helm, each with its tag. */
const terraform = (version: string) =>
  Array.from(
    { length: 5_000 },
    (_, i) =>
      `resource "helm_release" "bi${i}" {\n  chart = "lightdash"\n  set {\n    name  = "image.tag"\n    value = "${version}"\n  }\n}\n`,
  ).join('');

/** The processor time of this process, in seconds. */
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1e6;
}

const [before, after] = ['1.121.0', '1.121.1'];

/** The time in which both sides are parsed, by a program that has just begun. */
const yardstick = await timeOf(() =>
  [compose(before), compose(after)].map((text) => parseAllDocuments(text, { uniqueKeys: false })),
);

it.each([
  ['5,000 services of one image', 'compose.yaml', compose(before), compose(after)],
  ['5,000 of which one is at another release', 'compose.yaml', compose(before), compose(after, '1.121.9')],
  ['5,000 releases in Terraform', 'main.tf', terraform(before), terraform(after)],
])(
  'looks at %s in the time in which 5,000 services are parsed a few times',
  { timeout: 120_000 },
  async (_, file, was, is) => {
    const look = async () => {
      const [old, now] = [treeOfTexts({ [file]: was }), treeOfTexts({ [file]: is })];
      const { before: pins } = await lookAtChange(old, now, { tagSuffix: undefined });
      expect(pins.length).toBeGreaterThanOrEqual(5_000);
    };
    // It is less than three times; if each place is looked at once for each other one, it is seven to fifty.
    expect(await timeOf(look)).toBeLessThan(5 * yardstick);
  },
);
