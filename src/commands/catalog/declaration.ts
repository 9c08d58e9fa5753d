import { Command } from 'commander';
import { declareCatalogMetrics } from '../catalog-metrics/declaration.js';
import type { Act } from '../context.js';

export function declareCatalog(act: Act): Command {
  return new Command('catalog')
    .description('The metrics catalog of a Lightdash project.')
    .addCommand(declareCatalogMetrics(act));
}
