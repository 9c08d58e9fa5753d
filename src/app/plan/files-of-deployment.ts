import { resolve } from 'node:path';
import { LightspanError } from '../../core/lightspan-error.js';
import type { Deployment, SeenDeployment } from '../../instance/deployment.js';
import type { Pin } from '../../pins/yaml/pin-at.js';
import { nameOfPin } from '../../pins/yaml/pinned-version.js';

export const refusal = (message: string, hint?: string) => new LightspanError('usage', message, { hint });

/** The pins of the running version, and what stands behind the version in tags. */
export interface PinsOfDeployment {
  readonly pinned: readonly Pin[];
  readonly tagSuffix: string | undefined;
}

/** What a pin says of an image. */
export function imageOfPin(
  pin: Pin | undefined,
  tagSuffix: string | undefined,
  { image, tagPrefix: prefix, tagSuffix: suffix }: Deployment,
): Pick<Deployment, 'image' | 'tagPrefix' | 'tagSuffix'> {
  if (pin === undefined) return { image, tagPrefix: prefix, tagSuffix: tagSuffix ?? suffix };
  const { registry = null, repository = null, tag, digest = null } = pin;
  const tagPrefix = /^v/i.exec(tag)?.[0] ?? '';
  return { image: { registry, repository, tag, digest }, tagPrefix, tagSuffix: tagSuffix ?? '' };
}

/** Standard input has no name. */
export function fileOfPin(pin: Pin | undefined): string | undefined {
  return pin?.file === '-' ? undefined : pin?.file;
}

export function isFile(path: string): (file: string) => boolean {
  return (file) => resolve(file) === resolve(path);
}

/** The pin of the last file that has one: the later file wins. */
export function lastPinIn(files: readonly string[], pins: readonly Pin[]): Pin | undefined {
  const pinsInOrder = files.toReversed().flatMap((file) => pins.filter((pin) => isFile(pin.file)(file)));
  return pinsInOrder[0] ?? pins[0];
}

/**
 * All files of the deployment, in their order: those that are given, those of the facts, or the one that pins. A
 * command without one of them would deploy something else.
 *
 * @throws {LightspanError} `usage` if what is known of them would be left out
 */
export function allFiles({
  named: namedFiles,
  known: { files: seen, hasUnnamedFiles },
  pins,
  option,
}: {
  readonly named: readonly string[];
  readonly known: Pick<Deployment, 'files'> & Pick<SeenDeployment, 'hasUnnamedFiles'>;
  readonly pins: readonly Pin[];
  readonly option: '--values' | '--compose';
}): readonly string[] {
  const refuse = (message: string) =>
    refusal(message, `Name every file of the deployment with ${option}, in deployment order.`);
  const pinFiles = [...new Set(pins.flatMap((pin) => fileOfPin(pin) ?? []))];
  const [first, second] = pinFiles;
  if (namedFiles.length > 0 && seen.length > 0 && !isInOrderOf(namedFiles, seen)) {
    throw refuse(`${option} names ${namedFiles.join(', ')}, but the facts are of ${seen.join(', ')}`);
  }
  const all = seen.length > 0 ? seen : namedFiles;
  if (all.length > 0) {
    if (first === undefined || pinFiles.some((file) => all.some(isFile(file)))) return all;
    throw refuse(`${first} pins the version, but is not a file of the deployment: ${all.join(', ')}`);
  }
  if (first !== undefined && hasUnnamedFiles) {
    throw refuse(`the facts do not name the files of the deployment; ${first} may be one`);
  }
  if (second !== undefined) {
    throw refuse(`${first} and ${second} both pin the version, and it is not known which files are deployed`);
  }
  return pinFiles;
}

function isInOrderOf(some: readonly string[], all: readonly string[]): boolean {
  const places = some.map((file) => all.findIndex(isFile(file)));
  return places.every((place, i) => place > (places[i - 1] ?? -1));
}

export function otherDeployment(
  pin: Pin,
  deploy: string,
  what: string,
  example: string,
  more = '',
): LightspanError {
  return refusal(
    `--deploy ${deploy}, but ${nameOfPin(pin)} is not ${what}`,
    `Name it, for example ${example}, or pass the running version with --from.${more}`,
  );
}
