import { describe, expect, it } from 'vitest';
import {
  chartWith,
  firstChartThatStopsWorkloads,
  isChartBefore,
  lastChartThatNeedsScaleDown,
  requireChart,
} from '../../src/instance/first-versions.js';

describe('a version of the chart', () => {
  it.each([
    [firstChartThatStopsWorkloads, false],
    ['v2.16.284', false],
    ['2.16.285-rc.1', false],
    ['2.17.0+build.1', false],
    ['10.0.0', false],
    [lastChartThatNeedsScaleDown, true],
    ['2.16.99', true],
    ['2.16.284-rc.1', true],
    ['1.99.999', true],
    // Withdrawn; published before 2.16.12.
  ])('deployment rules 2 and 3: %s does not stop the workloads itself: %s', (version, before) => {
    expect(isChartBefore(requireChart(version), chartWith.scaleDown)).toBe(before);
  });

  it.each(['', '2.16', 'latest', '2.16.284 ', '^2.16.284', '2.16.x', 'lightdash-2.16.284', '02.1.1'])(
    'is refused where it is none: %j',
    (version) => {
      expect(() => requireChart(version)).toThrow(
        expect.objectContaining({
          code: 'invalid-version',
          message: `${JSON.stringify(version)} is not a chart version`,
          hint: 'Write it as "helm list" shows it behind the name of the chart, for example 2.16.284.',
        }),
      );
    },
  );
});
