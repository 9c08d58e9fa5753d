import { expect, it } from 'vitest';
import { emptyAnswer, noHops } from '../../../src/answer/answer.js';
import { plainPalette } from '../../../src/answer/formats/palette.js';
import { renderText } from '../../../src/answer/formats/text.js';
import { headlineOf } from '../../../src/answer/headline.js';
import { processorSeconds } from '../../support/processor-time.js';

const headline = headlineOf({ kind: 'rolls' }, { deploy: 'helm' });
const linesOf = (next: string, width: number | undefined) => {
  const text = renderText(
    {
      ...{ ...emptyAnswer, ...noHops },
      title: 'T',
      headline,
      safe: true,
      verdict: true,
      strategy: undefined,
      questions: [],
      next,
    },
    { palette: plainPalette, verbose: false, width },
  );
  return text.slice(text.indexOf('Next:')).trimEnd().split('\n');
};

it.each<[what: string, next: string, lines: readonly string[]]>([
  ['words alone', 'fix what stops it, then check again.', ['Next: fix what stops it, then check again.']],
  [
    'a command at the end',
    'the hops: lightspan upgrade-plan --from 1.2.0 --to 2.134.2 --index /a/long/folder/index.json',
    [
      'Next: the hops:',
      '    lightspan upgrade-plan --from 1.2.0 --to 2.134.2 --index /a/long/folder/index.json',
    ],
  ],
  [
    'two commands',
    "see it: lightspan upgrade-preflight --facts 'a; b c.json'; then the steps: lightspan upgrade-plan --out hops",
    [
      'Next: see it:',
      "    lightspan upgrade-preflight --facts 'a; b c.json'",
      '  then the steps:',
      '    lightspan upgrade-plan --out hops',
    ],
  ],
  [
    'words after a command',
    'verify it: lightspan upgrade-verify --version 1.157.0; or find out who deployed it.',
    ['Next: verify it:', '    lightspan upgrade-verify --version 1.157.0', '  or find out who deployed it.'],
  ],
  [
    'a quote that is never closed',
    "say it: lightspan explain it's",
    ['Next: say it:', '    lightspan explain it', "  's"],
  ],
])('on a terminal, a command to copy has a line of its own: %s', (_, next, lines) => {
  expect(linesOf(next, 80)).toEqual(lines);
  // In a pipe, all of it is one line.
  expect(linesOf(next, undefined)).toEqual([`Next: ${next}`]);
});

it('so has one among the reasons of a question', () => {
  const why = [
    '1.2.0 is older.',
    'Next: upgrade to 1.3.0 first; the hops: lightspan upgrade-plan --from 1.2.0 --to 1.156.0',
  ];
  const text = renderText(
    {
      ...{
        ...emptyAnswer,
        ...noHops,
        title: 'T',
        headline,
        safe: false,
        verdict: false,
        strategy: undefined,
      },
      questions: [{ name: 'values.yaml image.tag', answer: 'no', yes: false, why }],
    },
    { palette: plainPalette, verbose: false, width: 60 },
  );
  expect(text.split('\n').slice(3, 6)).toEqual([
    '  - 1.2.0 is older.',
    '  - Next: upgrade to 1.3.0 first; the hops:',
    '      lightspan upgrade-plan --from 1.2.0 --to 1.156.0',
  ]);
});

it('is read in a moment, however long the text', () => {
  const seconds = processorSeconds(() => {
    linesOf(`x: lightspan ${"' ".repeat(20_000)}`, 80);
    linesOf(`x: lightspan ${'a '.repeat(20_000)}`, 80);
    linesOf(': lightspan '.repeat(5_000), 80);
  });
  expect(seconds).toBeLessThan(5);
});
