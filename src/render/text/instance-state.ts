import { firstReleaseWithReadyz, type InstanceState, type Probe } from '../../instance-state.js';
import { compareVersions } from '../../release-safety/version.js';
import { isReadinessReason } from '../facts/instance-facts.js';
import { printable } from '../printable.js';

/** What an instance said of itself, without a full stop. */
export function describeInstanceState(state: InstanceState, wanted: string): string {
  switch (state.kind) {
    case 'ready': {
      const { version, probe } = state;
      const by = describeProbe(probe);
      return `${probe === 'health' ? 'healthy' : 'ready'}, and serves ${compared(version, wanted)}${by && ` (${by})`}`;
    }
    case 'not-ready': {
      const by = describeProbe(state.probe);
      return `not ready: ${printable(state.reason ?? 'no reason given')} (HTTP ${state.status}${by && `, ${by}`})`;
    }
    case 'parked':
      return `not ready: migration_parked (HTTP ${state.status}), which does not pass by itself`;
    case 'unknown-version':
      return `ready, and does not tell which release it serves: ${printable(state.message)}`;
    case 'unreachable':
      return `no answer: ${printable(state.message)}`;
  }
}

/** The word that explains a state best: its reason, where that is one that releases give. */
export function wordOfInstanceState(state: InstanceState): string {
  if (state.kind === 'parked') return 'migration_parked';
  const reason = state.kind === 'not-ready' ? state.reason : undefined;
  return reason !== undefined && isReadinessReason(reason) ? reason : state.kind;
}

function compared(version: string, wanted: string): string {
  if (version === wanted) return wanted;
  return compareVersions(version, wanted) > 0
    ? `${version}, which is newer than ${wanted}`
    : `${version} instead of ${wanted}`;
}

function describeProbe(probe: Probe): string {
  return probe === 'readyz' ? '' : `by /api/v1/health: there is no readyz before ${firstReleaseWithReadyz}`;
}
