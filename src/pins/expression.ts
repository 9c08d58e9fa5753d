import type { RE2JS } from 're2js';
import { LightspanError } from '../core/lightspan-error.js';
import type { WrittenPlace } from './written-place.js';

/** A pin of any file: `deploy.sh#/lightdash:(\S+)/`. */
const form = /^([^#]+)#\/(.+)\/$/s;

/** The file, and the expression without its slashes; undefined for a pin that is a path. */
export function splitExpression(
  pin: string,
): { readonly file: string; readonly expression: string } | undefined {
  const [, file, expression] = form.exec(pin) ?? [];
  return file === undefined || expression === undefined ? undefined : { file, expression };
}

const maxLength = 500;
/** A pin that is found more often pins nothing that a person has in mind. */
const maxMatches = 100;

/**
 * Where an expression finds what its one group holds. It takes time in proportion to the text, whatever the expression:
 * it is RE2's syntax, without lookaround and backreferences. `^` and `$` are the ends of a line.
 *
 * @throws {LightspanError} `usage` for anything else than one expression with one group
 */
export async function placesOfExpression(expression: string, text: string): Promise<readonly WrittenPlace[]> {
  const matcher = (await compile(expression)).matcher(text);
  const places: WrittenPlace[] = [];
  while (matcher.find()) {
    const written = matcher.group(1);
    if (written === null || written === '') continue;
    if (places.length === maxMatches)
      throw refuse(expression, `it matches more than ${maxMatches} times in one file`);
    places.push({ name: `/${expression}/`, written, offset: matcher.start(1) });
  }
  return places;
}

async function compile(expression: string): Promise<RE2JS> {
  if (expression.length > maxLength) throw refuse(expression, `it is longer than ${maxLength} characters`);
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    const compiled = RE2JS.compile(expression, RE2JS.MULTILINE);
    const groups = compiled.groupCount();
    if (groups === 1) return compiled;
    throw refuse(expression, `it has ${groups} groups, but needs one: the version, or the image with it`);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw refuse(expression, error.message.replace(/^error parsing regexp: /, ''));
  }
}

function refuse(expression: string, why: string): LightspanError {
  return new LightspanError('usage', `the pin /${expression}/: ${why}`, {
    hint: "Write it with one group around the version, for example 'deploy.sh#/lightdash:(\\S+)/'.",
  });
}
