import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtInReportStyle, builtInStyle } from '../../../scripts/minified-style.js';

it('a report has the style inside that `npm run generate -- styles` makes of report.css', () => {
  expect(readFileSync(builtInStyle, 'utf8'), 'run npm run generate -- styles').toBe(builtInReportStyle());
});
