import { expect, it } from 'vitest';
import { answerOfReport } from '../../src/answer/builders/report.js';
import { renderHtml } from '../../src/answer/formats/html.js';
import { renderMarkdown } from '../../src/answer/formats/markdown.js';
import { renderText } from '../../src/answer/formats/text.js';
import type { ReportDocument } from '../../src/answer/json/upgrade.js';
import { markedPalette as marked } from '../support/marked-palette.js';
import { withoutRemedies } from '../support/remedies.js';

import { documents } from './reports.js';

/** Whole reports in every format: `documents.txt`. */

/** A page as lines, without its style and its script. */
const linesOf = (page: string) =>
  page
    .replaceAll(/(<(style|script)>).*?<\/\2>/gs, '$1')
    .replaceAll(/'sha256-[^']+'/g, "'sha256-'")
    .replaceAll(
      /(?<=<\/(?:p|li|h\d|td|th|tr|figure|figcaption|details|summary|path|rect|dd|label|section)>)(?=<)/g,
      '\n',
    )
    .replaceAll(/(?<=\/>)(?=<)/g, '\n');

const options = { palette: marked, width: undefined, verbose: false };
const answerOf = (document: ReportDocument) => answerOfReport(document, { verbose: false });
const verbose = () =>
  renderText(
    answerOfReport(
      documents['of much that is backfilled, and a target that is not there'] as ReportDocument,
      { verbose: true },
    ),
    { palette: marked, width: 70, verbose: true },
  );
const formats: Readonly<Record<string, (document: ReportDocument) => string>> = {
  txt: (document) => renderText(answerOf(document), options),
  md: (document) => renderMarkdown(answerOf(document)),
  html: (document) => linesOf(renderHtml(answerOf(document), document.report)),
};

it.each(Object.entries(formats))('reports are held: %s', async (extension, render) => {
  const text = Object.entries(documents)
    .map(([title, document]) => `=== A report ${title}\n\n${render(document)}`)
    .concat(
      extension === 'txt' ? ['=== A report of much that is backfilled, with --verbose\n', verbose()] : [],
    )
    .join('\n');
  expect(text).not.toMatch(/undefined|\bnull\b|NaN|\[object/);
  await expect(withoutRemedies(text)).toMatchFileSnapshot(`documents.${extension}`);
});
