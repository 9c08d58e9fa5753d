const shapes: Readonly<Record<string, string>> = {
  'flat keys': lines((i) => `k${i}: v`),
  'short keys': lines((i) => `${i.toString(36)}:`),
  'the same key': lines(() => 'a: b'),
  'quoted keys': lines((i) => `"k${i}": "v"`),
  'explicit keys': lines((i) => `? k${i}\n: v`),
  'merge keys': lines(() => '<<: a'),
  'a list': lines(() => '-'),
  'a flow list': `[${fill('a,')}]`,
  'a flow list of quoted texts': `[${fill('"a",')}]`,
  'a flow map': `{${lines((i) => `${i.toString(36)},`)}}`,
  'JSON of many keys': `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":${i}`).join()}}`,
  'JSON of many objects': `[${fill('{},')}{}]`,
  'brackets without end': fill('['),
  'braces without end': fill('{"a":'),
  'brackets that close nothing': fill(']'),
  'brackets opened and closed': fill('[]'),
  'nested dashes': fill('- '),
  'nested question marks': fill('? '),
  'nesting by indent': Array.from({ length: 1400 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  'falling indents': lines((i) => `${' '.repeat(50 - (i % 50))}a:`),
  anchors: lines((i) => `- &a${i} x`),
  aliases: `a: &a x\nb: [${fill('*a,')}]`,
  'anchors of aliases': lines((i) => `a${i}: &a${i} *a${i - 1}`),
  'aliases of a long list': `a: &a [${fill('x,', 10_000)}x]\n${lines((i) => `b${i}: *a`)}`,
  tags: lines(() => '- !a b'),
  'tags in a row': `- ${fill('!a ')}`,
  'tag directives': lines((i) => `%TAG !${i}! x`),
  'a long plain scalar': `a: ${fill('x')}`,
  'a long quoted scalar': `a: "${fill('x')}"`,
  'a quoted scalar without end': `a: "${fill('x')}`,
  'quoted scalars without end': lines((i) => `k${i}: "`),
  escapes: `a: "${fill('\\n')}"`,
  'a scalar of many lines': `a: x\n${lines(() => ' x')}`,
  'a quoted scalar of many lines': `a: "${lines(() => ' x')}"`,
  'empty lines': `a: x${fill('\n')}`,
  'a block scalar': `a: |\n${lines(() => ' x')}`,
  'a folded scalar': `a: >\n${lines((i) => (i % 2 === 0 ? ' x' : '  x'))}`,
  'block scalars': lines((i) => `k${i}: |`),
  comments: lines(() => '#'),
  'comments between keys': `a:\n${lines(() => ' #')}\nb: 1`,
  'a long comment': `a: 1 #${fill('x')}`,
  'many documents': fill('--- a\n'),
  'empty documents': fill('---\n'),
  'ends of documents': fill('...\n'),
  tabs: fill('\t'),
  'tabs for blanks': fill('a:\t1\n'),
  blanks: `a:${fill(' ')}`,
  'line ends of Windows': fill('\r\n'),
  quotes: fill('"'),
  colons: fill(': '),
  faults: lines(() => 'a: b: c'),
};

/** A MiB of text in each shape that costs a reader of YAML the most time, memory or stack. */
export const hostileYaml: readonly (readonly [shape: string, text: string])[] = Object.entries(shapes).map(
  ([shape, text]) => [shape, text.slice(0, 1024 * 1024)],
);

function fill(part: string, length = 1024 * 1024): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

function lines(line: (i: number) => string): string {
  const all: string[] = [];
  for (let length = 0, i = 0; length < 1024 * 1024; i += 1) {
    const next = line(i);
    all.push(next);
    length += next.length + 1;
  }
  return all.join('\n').slice(0, 1024 * 1024);
}
