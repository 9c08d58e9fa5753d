import { writeFileSync } from 'node:fs';
import { builtInReportStyle, builtInStyle } from './minified-style.js';

/**
 * Writes the style that reports have inside anew: `npm run generate -- styles`. A test fails where it differs from `report.css`.
 */
writeFileSync(builtInStyle, builtInReportStyle());
