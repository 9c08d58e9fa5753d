import { posix } from 'node:path';
import picomatch from 'picomatch';
import { LightspanError } from '../core/lightspan-error.js';
import { splitExpression } from './expression.js';

export interface PinPattern {
  /** As written: `envs/*` + `/values.yaml#image.tag`. */
  readonly text: string;
  readonly path: readonly string[];
  /** In place of a path: the expression of a pin of any text. */
  readonly expression?: string | undefined;
  readonly matches: (file: string) => boolean;
  readonly leadsThrough: (folder: string) => boolean;
}

export function parsePinPattern(text: string): PinPattern {
  const expressed = splitExpression(text);
  const hash = expressed === undefined ? text.lastIndexOf('#') : expressed.file.length;
  const files = text.slice(0, Math.max(hash, 0)).replace(/^\.\//, '');
  const path = expressed === undefined ? text.slice(hash + 1).split('.') : [text.slice(hash + 1)];
  const refuse = (why: string, hint: string) =>
    new LightspanError('usage', `--pin ${JSON.stringify(text)}: ${why}`, { hint });
  if (files === '' || path.includes('') || /\p{Cc}/u.test(text)) {
    throw refuse(
      'it does not name a value in a file',
      "Write the file and the path of the value, for example 'envs/*/values.yaml#image.tag'; without --pin, every pin " +
        'of the change is judged.',
    );
  }
  if (/^\/|^[a-z]:[\\/]|(^|\/)\.\.(\/|$)|\\/i.test(files)) {
    throw refuse(
      'the file is not named from the root of the repository',
      'Write it with /, but without a leading / and without "..".',
    );
  }
  return { ...{ text, path, expression: expressed?.expression }, ...matcherOf(files) };
}

export function matcherOf(files: string): Pick<PinPattern, 'matches' | 'leadsThrough'> {
  // Names may contain line breaks, which a dot in picomatch's expressions would not match.
  const ofGlob = (glob: string) => picomatch(glob, { dot: true, flags: 's' });
  const matchesGlob = ofGlob(files);
  const parts = files.split('/');
  const folders = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
  const matchFolder = folders.map(ofGlob);
  return {
    matches: (file) => file === files || matchesGlob(file),
    leadsThrough: (folder) => folders.includes(folder) || matchFolder.some((matches) => matches(folder)),
  };
}

export function isVariablesFile(file: string): boolean {
  return /(^|\/)(\.env(\.[^/]+)?|[^/]+\.env)$/.test(file);
}

export function isValuesFile(file: string): boolean {
  return /\.ya?ml(?:\.gotmpl)?$/i.test(file) && /values/i.test(posix.basename(file));
}

/** The pattern of one place of a file. */
export function patternOf(file: string, path: readonly string[]): PinPattern {
  const text = `${file}#${path.join('.')}`;
  return { text, path, matches: (other) => other === file, leadsThrough: () => false };
}
