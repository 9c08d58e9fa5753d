import fc from 'fast-check';

/** What can go wrong with a piece of data on its way: on the wire, on a disk, in an editor. */
export type FaultKind =
  | ('flip' | 'drop' | 'duplicate' | 'reorder' | 'truncate' | 'retype')
  /** What other readers of the data take otherwise. */
  | ('break' | 'merge-key' | 'line')
  /** What was asked beside the data: names that are accepted, and files that are named. */
  | ('accept' | 'files');

/** One fault: its kind, and what it makes of the data. */
export interface Fault<T> {
  readonly kind: FaultKind;
  readonly apply: (data: T) => T;
}

/** A place in data of any length, as a fraction of it. (fc.double would nearly always be next to 0.) */
const place = fc.nat({ max: 2 ** 31 - 1 }).map((n) => n / 2 ** 31);
const at = (fraction: number, length: number) => Math.floor(fraction * length);

/** Faults of bytes, blind to what they mean. */
export const byteFault: fc.Arbitrary<Fault<Buffer>> = fc.oneof(
  fc
    .record({ kind: fc.constant('flip' as const), where: place, bit: fc.nat({ max: 7 }) })
    .map(({ kind, where, bit }) => ({
      kind,
      apply: (bytes: Buffer) => {
        const flipped = Buffer.from(bytes);
        const i = at(where, bytes.length);
        if (bytes.length > 0) flipped[i] = (flipped[i] ?? 0) ^ (1 << bit);
        return flipped;
      },
    })),
  span().map(({ start, end }) => ({
    kind: 'drop' as const,
    apply: (bytes: Buffer) => Buffer.concat([bytes.subarray(0, start(bytes)), bytes.subarray(end(bytes))]),
  })),
  span().map(({ start, end }) => ({
    kind: 'duplicate' as const,
    apply: (bytes: Buffer) => Buffer.concat([bytes.subarray(0, end(bytes)), bytes.subarray(start(bytes))]),
  })),
  span().map(({ start, end }) => ({
    kind: 'reorder' as const,
    apply: (bytes: Buffer) =>
      Buffer.concat([
        bytes.subarray(start(bytes), end(bytes)),
        bytes.subarray(0, start(bytes)),
        bytes.subarray(end(bytes)),
      ]),
  })),
  place.map((where) => ({
    kind: 'truncate' as const,
    apply: (bytes: Buffer) => bytes.subarray(0, at(where, bytes.length)),
  })),
);

/** A character after which what is written in Go begins a new line, and what may stand in it. */
export const breakFault: fc.Arbitrary<Fault<Buffer>> = fc
  .record({
    where: place,
    end: fc.constantFrom('\u0085', '\u2028', '\u2029', '\r'),
    behind: fc.constantFrom(
      ...[' ', 'x', '# x', '  tag: "1.2.0"', 'tag: 1.2.0 #', '    image: lightdash/lightdash:1.2.0', '"'],
    ),
  })
  .map(({ where, end, behind }) => ({
    kind: 'break',
    apply: (bytes: Buffer) => {
      const text = bytes.toString();
      const i = at(where, text.length);
      return Buffer.from(`${text.slice(0, i)}${end}${behind}${text.slice(i)}`);
    },
  }));

/** Whether such a character stands in a text, outside double quotes. */
export function hidesLines(bytes: Buffer): boolean {
  return /[\u0085\u2028\u2029\r]/.test(
    bytes
      .toString()
      .trim()
      .replace(/"(?:[^"\\]|\\.)*"/gs, ''),
  );
}

/** A stretch of some bytes, short more often than long. */
function span() {
  return fc
    .record({
      where: place,
      length: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 2000 })),
    })
    .map(({ where, length }) => ({
      start: (bytes: Buffer) => at(where, bytes.length),
      end: (bytes: Buffer) => Math.min(bytes.length, at(where, bytes.length) + length),
    }));
}

/** A value where another was expected: one that could well stand there, or anything. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    true,
    false,
    'unknown',
    null,
    '1.1.0',
    '1.2.0',
    '1.3.0',
    '0.0.1',
    [],
    ['1.2.0'],
    '1',
  ),
  fc.constantFrom<unknown>(
    'true',
    'false',
    'UNKNOWN',
    0,
    1,
    -0,
    '',
    'v1.1.0',
    '1.1.0 ',
    '1.1.0\u0000',
    '2',
    {},
  ),
  fc.constantFrom<unknown>([true], [['1.1.0']], [null], '1.1', '01.1.0', '2026-09-01T12:00:00Z', 'yesterday'),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Faults of a JSON text that know its structure, so that what they make is JSON again more often than not. */
export const jsonFault: fc.Arbitrary<Fault<string>> = fc
  .record({
    kind: fc.constantFrom<FaultKind>('drop', 'duplicate', 'reorder', 'retype'),
    where: place,
    other: place,
    value: anyValue,
  })
  .map(({ kind, where, other, value }) => ({
    kind,
    apply: (text) => mutateJson(text, kind, { where, other, value }),
  }));

interface Spot {
  readonly where: number;
  readonly other: number;
  readonly value: unknown;
}

function mutateJson(text: string, kind: FaultKind, { where, other, value }: Spot): string {
  const json: unknown = JSON.parse(text);
  const slots = slotsOf(json);
  const slot = slots[at(where, slots.length)];
  if (slot === undefined) return text;
  const { holder, key } = slot;
  if (kind === 'retype') slot.set(value);
  else if (Array.isArray(holder)) {
    const i = Number(key);
    if (kind === 'drop') holder.splice(i, 1);
    else if (kind === 'duplicate') holder.splice(at(other, holder.length + 1), 0, structuredClone(holder[i]));
    else holder.splice(at(other, holder.length), 0, ...holder.splice(i, 1));
  } else if (kind === 'drop') delete holder[key];
  else if (kind === 'reorder') {
    const held = holder[key];
    delete holder[key];
    holder[key] = held;
  } else {
    // The same key a second time, with another value: no JSON value can say it, only a text.
    const mark = '\u0001second\u0001';
    holder[mark] = value === undefined ? null : value;
    return JSON.stringify(json).replace(JSON.stringify(mark), JSON.stringify(key));
  }
  return JSON.stringify(json);
}

type Holder = unknown[] | Record<string, unknown>;

/** Every place of a JSON value that holds another. */
function slotsOf(json: unknown): { holder: Holder; key: string; set: (value: unknown) => void }[] {
  if (typeof json !== 'object' || json === null) return [];
  const holder = json as Holder;
  return Object.entries(json).flatMap(([key, held]) => [
    { holder, key, set: (value: unknown) => Object.assign(holder, { [key]: value }) },
    ...slotsOf(held),
  ]);
}
