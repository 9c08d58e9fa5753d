import { firstChartThatStopsWorkloads, lastChartThatNeedsScaleDown } from '../../release-safety/span.js';
import type { DeploymentRule, SpanRule, Word } from './word.js';

/** The contract's rules in our own words. */
export const spanRules: Record<SpanRule, Word> = {
  1: {
    meaning:
      'Only true is a yes. A release whose verdict is unknown is treated exactly like one whose verdict is false.',
  },
  2: {
    meaning:
      'Old and new pods may overlap only if every release of the span is true. Those are all releases newer than the running version, up to and including the target.',
  },
  3: {
    meaning:
      'A version that any release of the span requires as a stop is installed first. The upgrade continues only after its migrations have finished.',
  },
  4: {
    meaning:
      'A release with a minimum previous version may be jumped to directly from that version or a later one. From an older one, an upgrade to a release in between comes first.',
  },
  5: {
    meaning:
      'If the running version is below the index floor, the floor is installed first. The rest of the span is judged from there; no index covers the step up to the floor.',
  },
  6: {
    meaning:
      'A backfilled entry was generated after its release, and says little. Expect unknown, and plan Recreate for a span that crosses one: a true there counts as unknown.',
  },
  7: {
    meaning:
      'A release that the index does not contain is unsafe. This applies to both ends of a span and to every release in between.',
  },
};

export const deploymentRules: Record<DeploymentRule, Word> = {
  1: { meaning: 'The Helm chart does not check the verdict. The operator sets upgrade.mode.' },
  2: {
    meaning: `With a migration job and chart ${firstChartThatStopsWorkloads} or later, Recreate stops the workloads by itself. It does so before the pre-upgrade hook that migrates.`,
  },
  3: {
    meaning: `With chart ${lastChartThatNeedsScaleDown} or earlier, scale the workloads down by hand before the upgrade.`,
  },
  4: {
    meaning:
      'Without a migration job, Recreate still sets the strategy of the Deployments. The workloads stop while the release is applied.',
  },
  5: { meaning: 'Recreate means a downtime.' },
};
