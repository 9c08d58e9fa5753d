import type { Version } from './field-schemas.js';
import { releaseVersion } from './kinds.js';
import { LightspanError } from './lightspan-error.js';
import { describeValue, quote } from './text/quote.js';

export type { Version };

/**
 * Reads a version as an operator writes it: `X.Y.Z`, optionally with a leading `v` or `V`, in blanks or quotes; nothing
 * else.
 *
 * @returns the version as the index writes it
 * @throws {LightspanError} `invalid-version`, with the reason
 */
export function parseVersion(text: string): Version {
  if (isVersion(text)) return text;
  return requireVersion(typeof text === 'string' ? withoutV(withoutQuotes(text)) : text, text);
}

/** Reads a version from a tag or an instance. Blanks and quotes would be part of it there, and are refused. */
export function parseTag(text: string): Version {
  return requireVersion(typeof text === 'string' ? withoutV(text) : text, text);
}

/** Reads exactly `X.Y.Z`. @param written the original text, for the message; from JavaScript it may be anything */
export function requireVersion(text: string, written: unknown = text): Version {
  if (isVersion(text)) return text;
  const message = `${describeValue(written)} is not a release version: ${whyNotAVersion(text)}`;
  throw new LightspanError('invalid-version', message, { hint: howToWriteIt(String(text)) });
}

function withoutV(text: string): string {
  return text.replace(/^[vV]/, '');
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

/** By number, part by part: negative if `a` is older than `b`, 0 if they are the same release. */
export function compareVersions(a: Version, b: Version): number {
  if (a === b) return 0;
  if (haveEqualDigits(a, b)) return a < b ? -1 : 1;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // Up to here they are equal. No number has a leading zero: the one with more digits left is larger.
  const more = digitsFrom(a, at) - digitsFrom(b, at);
  return Math.sign(more || a.charCodeAt(at) - b.charCodeAt(at));
}

export function isOlder(version: Version, than: Version): boolean {
  return compareVersions(version, than) < 0;
}

export function isNewer(version: Version, than: Version): boolean {
  return compareVersions(version, than) > 0;
}

/** Whether each number of one has as many digits as that of the other, so that they are ordered as texts are. */
function haveEqualDigits(a: Version, b: Version): boolean {
  if (a.length !== b.length) return false;
  const dot = a.indexOf('.');
  return dot === b.indexOf('.') && a.indexOf('.', dot + 1) === b.indexOf('.', dot + 1);
}

/** How many digits of a number remain from a position on; none if a number ends there. */
function digitsFrom(version: Version, start: number): number {
  let end = start;
  while (end < version.length && version.charCodeAt(end) !== dot) end++;
  return end - start;
}

const dot = '.'.charCodeAt(0);

function whyNotAVersion(text: unknown): string {
  if (typeof text !== 'string') return 'it is not a text';
  if (text === '') return 'it is empty';
  if (digest.test(text)) return 'a digest does not tell the release';
  if (text.includes('/')) return 'it is an image or an address';
  if (/^[\^~<>=*]|\|\||^[xX]|\.[xX*]/.test(text)) return 'it is a range, and a check needs one exact release';
  if (suffixed.test(text)) return 'pre-releases and builds are not in the index';
  return 'it is not three numbers joined by dots';
}

const digest = /@|^sha256:|^[0-9a-f]{64}$/;
const suffixed = /^(\d+\.\d+\.\d+)([-+].*)$/s;

function howToWriteIt(text: string): string {
  const tag = /^(?:.*\/[^@]*:)?[vV]?([^@:]+)(?:@.*)?$/s.exec(text)?.[1];
  if (isVersion(tag)) return `Write the release alone: ${tag}.`;
  const [, version, suffix = ''] = suffixed.exec(text) ?? [];
  return isVersion(version) && suffix.length <= 20
    ? `If your image tags end in ${quote(suffix)}, write the release alone: ${version}.`
    : 'Write the exact release, for example 1.121.0.';
}

/**
 * Targets that the index resolves: `latest` is its newest release, `latest-rolling` the newest that rolling hops alone
 * reach.
 */
export const routeTargetNames = ['latest', 'latest-rolling'] as const;

/** What a route should reach: a release, or a name that the index resolves. */
export type RouteTarget = Version | (typeof routeTargetNames)[number];

/**
 * The names that a target may have: those that the index resolves, and `recommended`, which also looks at age and known
 * issues.
 */
export const targetNames = [...routeTargetNames, 'recommended'] as const;

export type Target = RouteTarget | 'recommended';

/**
 * Reads a target of a route or `recommended`, else as `parseRouteTarget` does.
 *
 * @throws {LightspanError} `invalid-version`
 */
export function parseTarget(text: string): Target {
  return text === 'recommended' ? text : parseRouteTarget(text);
}

/**
 * Reads a target: an exact name from `routeTargetNames`, else a version as `parseVersion` reads it.
 *
 * @throws {LightspanError} `invalid-version`
 */
export function parseRouteTarget(text: string): RouteTarget {
  return routeTargetNames.find((name) => name === text) ?? parseVersion(text);
}

/** The route with the fewest hops, or the one with the least work in Recreate hops. */
export const routePreferences = ['fewest-hops', 'least-downtime'] as const;

export type RoutePreference = (typeof routePreferences)[number];
