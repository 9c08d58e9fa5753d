import type { Arg, Copy, Dockerfile, From, Instruction } from 'dockerfile-ast';
import type { Position, Range } from 'vscode-languageserver-types';
import { isLightdashRepository } from '../../core/lightdash-name.js';
import { parseImageReference } from '../../instance/image-reference.js';
import type { WrittenPlace } from '../written-place.js';
import type { TextKind } from './kind.js';

/** Dockerfiles: the image of a stage, also where an `ARG` before the first one gives its tag, and of `COPY --from`. */
export const dockerfileKind: TextKind = {
  matches: (file, text) =>
    /(^|\/)(?:[^/]*\.)?(?:Docker|Container)file[^/]*$/i.test(file) && /lightdash/i.test(text),
  places: async ({ text }) => {
    const { DockerfileParser } = await import('dockerfile-ast');
    return placesIn(DockerfileParser.parse(text), text);
  },
};

/** The default of an argument, and where it stands; undefined where it has none, or is declared twice. */
type Defaults = ReadonlyMap<string, { readonly value: string; readonly offset: number } | undefined>;

function placesIn(dockerfile: Dockerfile, text: string): readonly WrittenPlace[] {
  const offsetOf = offsetsIn(text);
  const instructions = dockerfile.getInstructions();
  const defaults = defaultsIn(dockerfile.getInitialARGs(), offsetOf, text);
  const stages = new Set<string>();
  return instructions.flatMap((instruction): readonly WrittenPlace[] => {
    if (isFrom(instruction)) {
      const image = instruction.getImage();
      const range = instruction.getImageRange();
      const stage = instruction.getBuildStage();
      const isStage = stages.has(image?.toLowerCase() ?? '');
      if (stage !== null) stages.add(stage.toLowerCase());
      if (image === null || range === null || isStage) return [];
      const name = stage === null ? 'FROM' : `FROM.${stage}`;
      return placeOf(name, { value: image, offset: offsetOf(range.start) }, defaults);
    }
    if (instruction.getKeyword() !== 'COPY') return [];
    const [flag] = (instruction as Copy).getFlags().filter((option) => option.getName() === 'from');
    const [value, range] = [flag?.getValue(), flag?.getValueRange()];
    if (value == null || range == null || stages.has(value.toLowerCase())) return [];
    return placeOf('COPY', { value, offset: offsetOf(range.start) }, defaults);
  });
}

function isFrom(instruction: Instruction): instruction is From {
  return instruction.getKeyword() === 'FROM';
}

function defaultsIn(args: readonly Arg[], offsetOf: (at: Position) => number, text: string): Defaults {
  const defaults = new Map<string, { readonly value: string; readonly offset: number } | undefined>();
  for (const property of args.flatMap((arg) => arg.getProperties())) {
    const range: Range | null = property.getValueRange();
    const value = property.getValue();
    const start = range === null ? 0 : offsetOf(range.start);
    const offset = text.indexOf(value ?? '', start);
    const isPlain = value && range !== null && offset - start <= 1;
    defaults.set(
      property.getName(),
      isPlain && !defaults.has(property.getName()) ? { value, offset } : undefined,
    );
  }
  return defaults;
}

/** What a place pins, if its variables have one plain default each. The tag must come from one of them as a whole. */
function placeOf(
  name: string,
  { value, offset }: { readonly value: string; readonly offset: number },
  defaults: Defaults,
): readonly WrittenPlace[] {
  let isKnown = true;
  const image = value.replaceAll(variable, (_, braced?: string, bare?: string) => {
    const byDefault = defaults.get(braced ?? bare ?? '')?.value;
    isKnown &&= byDefault !== undefined && !byDefault.includes('$');
    return byDefault ?? '';
  });
  if (!isKnown || image.includes('$') || !isLightdashRepository(parseImageReference(image).repository ?? ''))
    return [];
  if (image === value) return [{ name, written: value, offset }];
  const [, braced, bare] = /(?:^|:)\$(?:\{(\w+)\}|(\w+))(?:@[^$]*)?$/.exec(value) ?? [];
  const argument = braced ?? bare;
  if (argument === undefined)
    return value.includes('$', value.lastIndexOf(':')) ? [] : [tagOf(name, value, offset, image)];
  const place = defaults.get(argument);
  return place === undefined ? [] : [{ name: argument, written: place.value, offset: place.offset, image }];
}

/** A tag that is written beside a repository that an argument gives. */
function tagOf(name: string, value: string, offset: number, image: string): WrittenPlace {
  const at = value.lastIndexOf(':') + 1;
  return { name, written: value.slice(at), offset: offset + at, image };
}

const variable = /\$(?:\{(\w+)\}|(\w+))/g;

function offsetsIn(text: string): (at: Position) => number {
  const starts = [
    0,
    ...[...text.matchAll(/\r\n|\n|\r/g)].map(([end], i, all) => (all[i]?.index ?? 0) + end.length),
  ];
  return ({ line, character }) => (starts[line] ?? 0) + character;
}
