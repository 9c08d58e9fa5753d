import { quoteForMessage, ReleaseSafetyError } from './errors.js';
import type { Version } from './field-schemas.js';
import { releaseVersion } from './kinds.js';

export type { Version };

/**
 * Reads a version as an operator writes it: `X.Y.Z`, optionally with a leading `v` or `V`, in blanks or quotes; nothing
 * else.
 *
 * @returns the version as the index writes it
 * @throws {ReleaseSafetyError} `invalid-version`, with the reason
 */
export function parseVersion(text: string): Version {
  return requireVersion(withoutV(withoutQuotes(requireText(text))), text);
}

/** Reads a version from a tag or an instance. Blanks and quotes would be part of it there, and are refused. */
export function parseTag(text: string): Version {
  return requireVersion(withoutV(text), text);
}

/**
 * Reads a version as the index has it: exactly `X.Y.Z`.
 *
 * @param written the original text, for the message
 */
export function requireVersion(text: string, written = text): Version {
  if (!isVersion(text)) throw invalidVersion(requireText(text), written);
  return text;
}

/** A program in JavaScript may pass anything, such as the number that YAML makes of `1.2`. */
function requireText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new ReleaseSafetyError(
    'invalid-version',
    `${quoteForMessage(value)} is not a release version: it is not a text`,
    exactRelease,
  );
}

function withoutV(text: string): string {
  return /^[vV]/.test(text) ? text.slice(1) : text;
}

function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  const quoted = /^(?:"(.*)"|'(.*)'|\u201c(.*)\u201d|\u2018(.*)\u2019)$/s.exec(trimmed)?.slice(1);
  return quoted?.find((inside) => inside !== undefined)?.trim() ?? trimmed;
}

/** Whether `text` is exactly `X.Y.Z`: no `v`, no suffix, no leading zero, no number over fifteen digits. */
export function isVersion(text: unknown): text is Version {
  return typeof text === 'string' && releaseVersion.test(text);
}

/**
 * Orders two release versions by number, part by part: 0.2155.9 comes before 0.2155.10.
 *
 * @returns negative if `a` is older, positive if it is newer, 0 if they are the same release
 */
export function compareVersions(a: Version, b: Version): number {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // Up to here they are equal. No number has a leading zero: the one with more digits left is larger.
  const more = digitsFrom(a, at) - digitsFrom(b, at);
  return Math.sign(more || a.charCodeAt(at) - b.charCodeAt(at));
}

/** How many digits of a number remain from a position on; none if a number ends there. */
function digitsFrom(version: Version, start: number): number {
  let end = start;
  while (end < version.length && version.charCodeAt(end) !== dot) end++;
  return end - start;
}

const dot = '.'.charCodeAt(0);

/** @param version what is left of `written` without blanks, quotes and `v` */
function invalidVersion(version: string, written: string): ReleaseSafetyError {
  return new ReleaseSafetyError(
    'invalid-version',
    `${quoteForMessage(written)} is not a release version: ${whyNotAVersion(version)}`,
    howToWriteIt(version),
  );
}

function whyNotAVersion(text: string): string {
  if (text === '') return 'it is empty';
  if (/\s/.test(text)) return 'it holds white space';
  if (digest.test(text)) return 'a digest does not tell the release';
  if (text.includes('/')) return 'it is an image or an address';
  if (/^[\^~<>=*]|\|\||^[xX]|\.[xX*]/.test(text)) return 'it is a range, and a check needs one exact release';
  if (suffixed.test(text)) return 'pre-releases and builds are not in the index';
  if (!/^\d+(\.\d+)*$/.test(text)) return 'it is not three numbers joined by dots';
  const parts = text.split('.');
  if (parts.length !== 3) return `it has ${parts.length} of the three numbers that X.Y.Z needs`;
  if (parts.some((part) => /^0\d/.test(part))) return 'a number in it has a leading zero';
  return 'a number in it is too large';
}

const digest = /@|^sha256:|^[0-9a-f]{64}$/;
const suffixed = /^(\d+\.\d+\.\d+)([-+].*)$/s;

function howToWriteIt(text: string): string {
  const [beforeDigest = '', ...behind] = text.split('@');
  const tag = withoutV(beforeDigest.slice(beforeDigest.lastIndexOf(':') + 1));
  if (isVersion(tag) && (behind.length > 0 || text.includes('/'))) return `Write the release alone: ${tag}.`;
  if (digest.test(text)) {
    return 'Write the release that it was pulled as, for example 1.121.0; a running instance tells its own.';
  }
  const [, version, suffix = ''] = suffixed.exec(text) ?? [];
  if (isVersion(version) && suffix.length <= 20) {
    return `Where ${quoteForMessage(suffix)} is what your image tags end in, write the release alone: ${version}.`;
  }
  return exactRelease;
}

const exactRelease = 'Write the exact release, for example 1.121.0.';

/**
 * Targets that the index resolves: `latest` is its newest release, `latest-rolling` the newest that rolling hops alone
 * reach.
 */
export const routeTargetNames = ['latest', 'latest-rolling'] as const;

/** What a route should reach: a release, or a name that the index resolves. */
export type RouteTarget = Version | (typeof routeTargetNames)[number];

/**
 * Reads a target: an exact name from `routeTargetNames`, else a version as `parseVersion` reads it.
 *
 * @throws {ReleaseSafetyError} `invalid-version`
 */
export function parseRouteTarget(text: string): RouteTarget {
  return routeTargetNames.find((name) => name === text) ?? parseVersion(text);
}

/**
 * Which of the possible routes to take: the one with the fewest hops, or the one with the least work in Recreate hops.
 */
export const routePreferences = ['fewest-hops', 'least-downtime'] as const;

export type RoutePreference = (typeof routePreferences)[number];
