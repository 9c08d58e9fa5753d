import { LightspanError } from '../../core/lightspan-error.js';
import { holdsSecret } from '../../gather/files/secrets.js';
import type { Unexplained } from '../../pins/compare/unexplained.js';
import { firstLines } from '../../words/lists.js';
import { countOf, listNames, truncate } from '../../words/phrase.js';

/**
 * What a change touches, may move Lightdash, and is explained by no pin: each place as it was and as it is.
 *
 * @param pins that would have these places judged
 */
export function notJudged(places: readonly Unexplained[], pins: readonly string[]): LightspanError {
  const files = new Set(places.map(({ file }) => file));
  const what = `${countOf(places.length, 'place')} of ${countOf(files.size, 'file')}`;
  const names = [...new Set(places.map(({ file, line }) => lineName(file, line)))];
  return new LightspanError(
    'not-judged',
    `not judged: the change touches ${what} that may move Lightdash and that no pin explains (${listNames(names)})`,
    { hint: [...firstLines(places.flatMap(linesOf), 30), waysOut(places, pins)].join('\n') },
  );
}

/** What has it judged, or left out: the pins were tried. */
function waysOut(places: readonly Unexplained[], pins: readonly string[]): string {
  const files = [...new Set(places.map(({ file }) => file))];
  const ignored = files.slice(0, 3).map((file) => `{path: ${JSON.stringify(file)}, reason: …}`);
  const ignore =
    `if nothing is deployed from ${files.length === 1 ? 'the file' : 'these files'}, list ` +
    `${files.length === 1 ? 'it' : 'them'} in lightspan.yaml, in an earlier change: ignore: [${ignored.join(', ')}]`;
  if (pins.length === 0) return `Undo it, or move it together with a pin; or, ${ignore}.`;
  const named = pins.map((pin) => `--pin '${pin.replaceAll("'", "'\\''")}'`);
  return `Have it judged as a pin: ${named.join(' ')} (with the other pins, as no other file is looked at then; for good, in pins: of lightspan.yaml); or, ${ignore}.`;
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
  return holdsSecret(text) || /passw|secret|token|credential|(?:api|private)[_-]?key/i.test(text)
    ? '(left out: it may hold a secret)'
    : truncate(text.replaceAll('\n', ' '), 160);
}
