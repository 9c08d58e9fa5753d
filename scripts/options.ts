import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where each option is declared, and where it is read: `npx tsx scripts/options.ts`. Only the door knows options
 * (test/structure.test.ts), so what is below it reads the members of a question.
 */

interface Place {
  readonly file: string;
  readonly line: number;
}

export interface WhereOption {
  /** Its name among the options of a command, such as `artifactUrl`. */
  readonly name: string;
  readonly flag: string;
  /** Several where commands declare it differently. */
  readonly declared: readonly Place[];
  readonly read: readonly Place[];
}

const door = ['door', 'commands', 'launch'];
/** Which settings count is asked before any option is translated. */
const besideDoor = ['app/settings/in-force.ts'];

/** An operand has a name like an option: `flags: '<file>'`. */
const declaration = /\b(\w+): \{\s*(?:\.\.\.[\w.]+,\s*)*flags: '(?:-\w, )?(?:--(?:no-)?)?([<[]?[\w-]+)/g;
/** A command that has it under other conditions: `name: { ...name.name, needs: [...] }`. */
const redeclaration = /\b(\w+): \{\s*\.\.\.\w+\.\1\b/g;
/** `options.name`, names taken from `options`, and those of a parameter that is options: of a function, or of `run`. */
const single = /\boptions\.(\w+)/g;
const several =
  /(?<!=> )\{([^{}]*)\}(?: = (?:options|request)\b|: (?:\w*Options\b|OptionsOf<|\{\s*readonly )|, (?:_?context|\{[^{}]*\})(?:, (?:\w+|\{[^{}]*\}))?\) =>)/g;

export function whereOptionsAre(): readonly WhereOption[] {
  const files = door.flatMap((room) =>
    readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(room, file)),
  );
  const texts = [...files, ...besideDoor]
    .map((file) => join('src', file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const placesOf = (found: (text: string) => Iterable<readonly [name: string, index: number]>) => {
    const places = new Map<string, Place[]>();
    for (const { file, text } of texts) {
      for (const [name, index] of found(text)) {
        const line = text.slice(0, index).split('\n').length;
        places.set(name, [...(places.get(name) ?? []), { file, line }]);
      }
    }
    return places;
  };
  const flags = new Map<string, string>();
  const declared = placesOf((text) => [
    ...[...text.matchAll(declaration)].map(({ 1: name = '', 2: flag = '', index }) => {
      if (!/^[<[]/.test(flag)) flags.set(name, `--${flag}`);
      return [name, index] as const;
    }),
    ...[...text.matchAll(redeclaration)].map(({ 1: name = '', index }) => [name, index] as const),
  ]);
  const read = placesOf((text) => [
    ...[...text.matchAll(single)].map(({ 1: name = '', index }) => [name, index] as const),
    ...[...text.matchAll(several)].flatMap(({ 1: names = '', index }) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/[:=? ].*$/s, ''))
        .map((name) => [name, index] as const),
    ),
  ]);
  return [...declared]
    .filter(([name]) => flags.has(name))
    .map(([name, places]) => ({
      name,
      flag: flags.get(name) ?? '',
      declared: places,
      read: read.get(name) ?? [],
    }))
    .sort((a, b) => (a.flag < b.flag ? -1 : 1));
}

if (process.argv[1]?.endsWith('options.ts') === true) {
  const shown = (places: readonly Place[]) => places.map(({ file, line }) => `${file}:${line}`).join(', ');
  for (const { flag, declared, read } of whereOptionsAre()) {
    process.stdout.write(`${flag}\n  declared  ${shown(declared)}\n  read      ${shown(read)}\n`);
  }
}
