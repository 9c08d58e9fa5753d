import * as z from 'zod/mini';

/** "map layer opacities: 0.1 to 1" (contract, "Limits"). It bounds no opacity of a heatmap. */
const opacity = z.optional(z.number().check(z.gte(0.1), z.lte(1)));
const orientation = z.optional(z.enum(['horizontal', 'vertical']));
const tileBackground = z.optional(z.enum(['none', 'openstreetmap', 'light', 'dark', 'satellite', 'voyager']));
/** All three are required where there is one (contract, "ChartConfig"). */
const rowLimit = z.optional(
  z.looseObject({
    count: z.number(),
    direction: z.enum(['first', 'last']),
    mode: z.enum(['show', 'hide']),
  }),
);
/** Required, of a shape that the contract does not show: null and nothing else of JSON is none. */
const anything = z.union([z.looseObject({}), z.array(z.unknown()), z.string(), z.number(), z.boolean()], {
  error: ({ input }) => (input == null ? 'is required' : undefined),
});

const hexbinConfig = z.looseObject({
  sizingMode: z.optional(z.enum(['dynamic', 'fixed'])),
  // The contract bounds it, but does not call it an integer.
  fixedResolution: z.optional(z.number().check(z.gte(0), z.lte(15))),
  valueBasis: z.optional(z.enum(['count', 'field'])),
  aggregation: z.optional(z.enum(['sum', 'avg', 'min', 'max'])),
  opacity,
});

/** @param fields those of `config` of which the contract states the values or a limit */
function chartOf<Type extends string, Fields extends z.core.$ZodLooseShape>(type: Type, fields: Fields) {
  return z.looseObject({ type: z.literal(type), config: z.optional(z.looseObject(fields)) });
}

/**
 * ChartConfig of the contract, as far as it states values and limits. All else in a chart is for the server to judge,
 * and passes through.
 */
export const chartConfigSchema = z
  .discriminatedUnion('type', [
    chartOf('big_number', { comparisonFormat: z.optional(z.enum(['raw', 'percentage'])) }),
    chartOf('cartesian', { layout: anything, eChartsConfig: anything, rowLimit }),
    chartOf('custom', {}),
    chartOf('pie', {
      legendPosition: orientation,
      valueLabel: z.optional(z.enum(['hidden', 'inside', 'outside'])),
    }),
    chartOf('funnel', {
      dataInput: z.optional(z.enum(['row', 'column'])),
      legendPosition: orientation,
      labels: z.optional(
        z.looseObject({ position: z.optional(z.enum(['inside', 'left', 'right', 'hidden'])) }),
      ),
    }),
    chartOf('table', { rowLimit }),
    chartOf('treemap', {}),
    chartOf('gauge', {
      sections: z.optional(z.array(z.looseObject({ color: z.string(), min: z.number(), max: z.number() }))),
    }),
    chartOf('data_app_viz', {
      fieldMapping: z.record(z.string(), z.string()),
      dataAppVizUuid: z.string(),
      dataAppVizVersion: z.optional(z.int().check(z.gte(1))),
    }),
    chartOf('map', {
      mapType: z.optional(z.enum(['USA', 'world', 'europe', 'custom'])),
      locationType: z.optional(z.enum(['scatter', 'area', 'heatmap', 'hexbin'])),
      dataLayerOpacity: opacity,
      tileBackground,
      darkModeTileBackground: tileBackground,
      hexbinConfig: z.optional(hexbinConfig),
    }),
    chartOf('sankey', {
      orient: orientation,
      nodeAlign: z.optional(z.enum(['left', 'right', 'justify'])),
      nodeLayout: z.optional(z.enum(['multi-step', 'merged', 'direct'])),
    }),
  ])
  .check(z.meta({ id: 'ChartConfig', description: 'The visualization of the merged result.' }));
