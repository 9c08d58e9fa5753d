import { LightspanError } from '../core/lightspan-error.js';
import { capped } from '../core/text/lists.js';
import { clip, countOf, listNames } from '../core/text/phrase.js';
import type { Unexplained } from '../pins/compare/unexplained.js';
import { holdsSecret } from '../read/files/secrets.js';

/** What a change touches, may move Lightdash, and is explained by no pin: each place as it was and as it is. */
export function notJudged(places: readonly Unexplained[]): LightspanError {
  const files = new Set(places.map(({ file }) => file));
  const what = `${countOf(places.length, 'place')} of ${countOf(files.size, 'file')}`;
  const names = [...new Set(places.map(({ file, line }) => lineName(file, line)))];
  return new LightspanError(
    'not-judged',
    `not judged: the change touches ${what} that may move Lightdash and that no pin explains (${listNames(names)})`,
    { hint: [...capped(places.flatMap(linesOf), 30), waysOut(places[0]?.file ?? '')].join('\n') },
  );
}

function waysOut(file: string): string {
  return (
    `Name the place as a pin, in --pin or in pins: of lightspan.yaml: '${file}#/<text before it>(\\S+)/'; or ` +
    'write the comment "lightspan: pin" in the line before it; or, if nothing is deployed from the file, list ' +
    'it in ignore: of lightspan.yaml with path and reason, in an earlier change.'
  );
}

function lineName(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

function linesOf({ file, line, before, after, why }: Unexplained): readonly string[] {
  const place = `  ${lineName(file, line)}`;
  const about = why === 'text' ? '' : `: ${reasons[why]}`;
  const side = (sign: string, text: string | undefined) =>
    text === undefined ? [] : [`    ${sign} ${shown(text)}`];
  return [`${place}${about}`, ...side('-', before), ...side('+', after)];
}

const reasons: Readonly<Record<Exclude<Unexplained['why'], 'text'>, string>> = {
  link: 'a link, whose target may deploy Lightdash',
  submodule: 'a submodule, whose files are not here',
  archive: 'an archive, which is not opened',
  'no-text': 'its contents cannot be read',
  name: 'a name by which a tool finds it, or did',
};

function shown(text: string): string {
  return holdsSecret(text) || /passw|secret|token|credential|api_?key|private_?key/i.test(text)
    ? '(left out: it may hold a secret)'
    : clip(text.replaceAll('\n', ' '), 160);
}
