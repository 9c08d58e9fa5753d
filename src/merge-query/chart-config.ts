import * as z from 'zod/mini';
import { fieldIdSchema, notShownSchema, stringOrNullSchema } from './identifiers.js';

/**
 * ChartConfig of the contract: an object with a required `type` and an optional `config`, whose shape depends on it.
 *
 * If the contract's table gives a field no type, it has the type of other fields with such a name in the table:
 * `show...` is a boolean, `...Id` and `...Field` a field id, `...Label` a string, a bound, size or threshold a number,
 * `...Overrides` and `metadata` a map. What the contract calls "not shown" passes through.
 */

const showSchema = z.boolean();
const orientationSchema = z.enum(['horizontal', 'vertical']);
const hexColorSchema = z
  .string()
  .check(
    z.regex(/^#?(?:[\da-fA-F]{3,4}|[\da-fA-F]{6}|[\da-fA-F]{8})$/),
    z.describe('a hex color, such as "#3b82f6"'),
  );
const stringMapSchema = z.record(z.string(), z.string());
const notShownMapSchema = z.record(z.string(), z.unknown());
const conditionalFormattingsSchema = z.array(notShownSchema);
/** "map layer opacities: 0.1 to 1" (contract, "Limits"). */
const opacitySchema = z.number().check(z.gte(0.1), z.lte(1));

const rowLimitSchema = z.strictObject({
  count: z.number(),
  direction: z.enum(['first', 'last']),
  mode: z.enum(['show', 'hide']),
});

const bigNumberConfigSchema = z.strictObject({
  selectedField: z.optional(fieldIdSchema),
  label: z.optional(z.string()),
  showBigNumberLabel: z.optional(showSchema),
  showComparison: z.optional(showSchema),
  comparisonField: z.optional(fieldIdSchema),
  comparisonLabel: z.optional(z.string()),
  comparisonFormat: z.optional(z.enum(['raw', 'percentage'])),
  flipColors: z.optional(z.boolean()),
  showTableNamesInLabel: z.optional(showSchema),
  // "compact value or alias": the contract does not show the values.
  style: z.optional(z.string()),
  conditionalFormattings: z.optional(conditionalFormattingsSchema),
});

const cartesianConfigSchema = z.strictObject({
  layout: notShownSchema,
  eChartsConfig: notShownSchema,
  columnLimit: z.optional(z.number()),
  rowLimit: z.optional(rowLimitSchema),
  metadata: z.optional(notShownMapSchema),
  conditionalFormattings: z.optional(conditionalFormattingsSchema),
});

const customConfigSchema = z.strictObject({ spec: z.optional(notShownSchema) });

const pieConfigSchema = z.strictObject({
  metricId: z.optional(fieldIdSchema),
  groupFieldIds: z.optional(z.array(fieldIdSchema)),
  isDonut: z.optional(z.boolean()),
  showLegend: z.optional(showSchema),
  legendPosition: z.optional(orientationSchema),
  legendMaxItemLength: z.optional(z.number()),
  showValue: z.optional(showSchema),
  showPercentage: z.optional(showSchema),
  valueLabel: z.optional(z.enum(['hidden', 'inside', 'outside'])),
  groupLabelOverrides: z.optional(stringMapSchema),
  groupColorOverrides: z.optional(stringMapSchema),
  groupValueOptionOverrides: z.optional(notShownMapSchema),
  groupSortOverrides: z.optional(z.array(z.string())),
  metadata: z.optional(notShownMapSchema),
});

const funnelConfigSchema = z.strictObject({
  fieldId: z.optional(fieldIdSchema),
  dataInput: z.optional(z.enum(['row', 'column'])),
  showLegend: z.optional(showSchema),
  legendPosition: z.optional(orientationSchema),
  labels: z.optional(
    z.strictObject({
      position: z.optional(z.enum(['inside', 'left', 'right', 'hidden'])),
      showValue: z.optional(showSchema),
      showPercentage: z.optional(showSchema),
    }),
  ),
  colorOverrides: z.optional(stringMapSchema),
  labelOverrides: z.optional(stringMapSchema),
  metadata: z.optional(notShownMapSchema),
});

const tableConfigSchema = z.strictObject({
  columns: z.optional(notShownMapSchema),
  rowLimit: z.optional(rowLimitSchema),
  metricsAsRows: z.optional(z.boolean()),
  showRowGrouping: z.optional(showSchema),
  showSubtotals: z.optional(showSchema),
  showSubtotalsExpanded: z.optional(showSchema),
  showResultsTotal: z.optional(showSchema),
  hideRowNumbers: z.optional(z.boolean()),
  showTableNames: z.optional(showSchema),
  showRowCalculation: z.optional(showSchema),
  showColumnCalculation: z.optional(showSchema),
  conditionalFormattings: z.optional(conditionalFormattingsSchema),
});

const treemapConfigSchema = z.strictObject({
  groupFieldIds: z.optional(z.array(fieldIdSchema)),
  sizeMetricId: z.optional(fieldIdSchema),
  colorMetricId: z.optional(fieldIdSchema),
  leafDepth: z.optional(z.number()),
  visibleMin: z.optional(z.number()),
  startColorThreshold: z.optional(z.number()),
  endColorThreshold: z.optional(z.number()),
  startColor: z.optional(hexColorSchema),
  endColor: z.optional(hexColorSchema),
  useDynamicColors: z.optional(z.boolean()),
});

const gaugeConfigSchema = z.strictObject({
  selectedField: z.optional(fieldIdSchema),
  min: z.optional(z.number()),
  max: z.optional(z.number()),
  maxFieldId: z.optional(fieldIdSchema),
  sections: z.optional(
    z.array(
      z.strictObject({
        color: z.string(),
        min: z.number(),
        max: z.number(),
        minFieldId: z.optional(fieldIdSchema),
        maxFieldId: z.optional(fieldIdSchema),
      }),
    ),
  ),
  showAxisLabels: z.optional(showSchema),
  showPercentage: z.optional(showSchema),
  customLabel: z.optional(z.string()),
  customPercentageLabel: z.optional(z.string()),
});

const dataAppVizConfigSchema = z.strictObject({
  fieldMapping: stringMapSchema,
  // "string": the contract gives no format for this one.
  dataAppVizUuid: z.string(),
  dataAppVizVersion: z.optional(z.int().check(z.gte(1))),
  optionValues: z.optional(
    notShownMapSchema.check(z.describe('Chosen values by option name; only options that were changed.')),
  ),
});

const tileBackgroundSchema = z.enum(['none', 'openstreetmap', 'light', 'dark', 'satellite', 'voyager']);

const mapConfigSchema = z.strictObject({
  mapType: z.optional(z.enum(['USA', 'world', 'europe', 'custom'])),
  locationType: z.optional(z.enum(['scatter', 'area', 'heatmap', 'hexbin'])),
  customGeoJsonUrl: z.optional(z.string()),
  geoJsonPropertyKey: z.optional(z.string()),
  locationFieldId: z.optional(fieldIdSchema),
  latitudeFieldId: z.optional(fieldIdSchema),
  longitudeFieldId: z.optional(fieldIdSchema),
  valueFieldId: z.optional(fieldIdSchema),
  sizeFieldId: z.optional(fieldIdSchema),
  colorRange: z.optional(z.array(z.string())),
  colorOverrides: z.optional(stringMapSchema),
  showLegend: z.optional(showSchema),
  defaultZoom: z.optional(z.number()),
  defaultCenterLat: z.optional(z.number()),
  defaultCenterLon: z.optional(z.number()),
  minBubbleSize: z.optional(z.number()),
  maxBubbleSize: z.optional(z.number()),
  dataLayerOpacity: z.optional(opacitySchema),
  tileBackground: z.optional(tileBackgroundSchema),
  darkModeTileBackground: z.optional(tileBackgroundSchema),
  backgroundColor: z.optional(z.string()),
  noDataColor: z.optional(z.string()),
  saveMapExtent: z.optional(z.boolean()),
  fieldConfig: z.optional(notShownMapSchema),
  heatmapConfig: z.optional(
    z.strictObject({
      radius: z.optional(z.number()),
      blur: z.optional(z.number()),
      // Not the opacity of a layer, which is the only one that the contract bounds.
      opacity: z.optional(z.number()),
    }),
  ),
  hexbinConfig: z.optional(
    z.strictObject({
      sizingMode: z.optional(z.enum(['dynamic', 'fixed'])),
      // The contract bounds it but does not call it an integer.
      fixedResolution: z.optional(z.number().check(z.gte(0), z.lte(15))),
      valueBasis: z.optional(z.enum(['count', 'field'])),
      aggregation: z.optional(z.enum(['sum', 'avg', 'min', 'max']).check(z.describe('Default: sum.'))),
      opacity: z.optional(opacitySchema),
      showEmptyBins: z.optional(showSchema),
      emptyBinColor: z.optional(stringOrNullSchema),
    }),
  ),
});

const sankeyConfigSchema = z.strictObject({
  sourceFieldId: z.optional(fieldIdSchema),
  targetFieldId: z.optional(fieldIdSchema),
  metricFieldId: z.optional(fieldIdSchema),
  orient: z.optional(orientationSchema),
  nodeAlign: z.optional(z.enum(['left', 'right', 'justify'])),
  nodeLayout: z.optional(
    z.enum(['multi-step', 'merged', 'direct']).check(z.describe('Default: multi-step.')),
  ),
});

export const chartConfigSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('big_number'), config: z.optional(bigNumberConfigSchema) }),
    z.strictObject({ type: z.literal('cartesian'), config: z.optional(cartesianConfigSchema) }),
    z.strictObject({ type: z.literal('custom'), config: z.optional(customConfigSchema) }),
    z.strictObject({ type: z.literal('pie'), config: z.optional(pieConfigSchema) }),
    z.strictObject({ type: z.literal('funnel'), config: z.optional(funnelConfigSchema) }),
    z.strictObject({ type: z.literal('table'), config: z.optional(tableConfigSchema) }),
    z.strictObject({ type: z.literal('treemap'), config: z.optional(treemapConfigSchema) }),
    z.strictObject({ type: z.literal('gauge'), config: z.optional(gaugeConfigSchema) }),
    z.strictObject({ type: z.literal('data_app_viz'), config: z.optional(dataAppVizConfigSchema) }),
    z.strictObject({ type: z.literal('map'), config: z.optional(mapConfigSchema) }),
    z.strictObject({ type: z.literal('sankey'), config: z.optional(sankeyConfigSchema) }),
  ])
  .check(z.meta({ id: 'ChartConfig', description: 'The visualization of the merged result.' }));

/** ChartConfig of the contract. */
export type ChartConfig = z.infer<typeof chartConfigSchema>;
