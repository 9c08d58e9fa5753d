import { Command } from 'commander';
import { declareChartGet } from '../chart-get/declaration.js';
import type { Act } from '../context.js';

export function declareChart(act: Act): Command {
  return new Command('chart')
    .description('Saved charts of a Lightdash instance.')
    .addCommand(declareChartGet(act));
}
