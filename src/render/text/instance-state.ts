import type { InstanceState } from '../../instance-state.js';
import { printable } from '../printable.js';

/** What an instance said of itself, without a full stop. */
export function describeInstanceState(state: InstanceState, wanted: string): string {
  switch (state.kind) {
    case 'ready':
      return state.version === wanted
        ? `ready, and serves ${wanted}`
        : `ready, and serves ${printable(state.version)} instead of ${wanted}`;
    case 'not-ready':
      return `not ready: ${printable(state.reason ?? 'no reason given')} (HTTP ${state.status})`;
    case 'unknown-version':
      return `ready, and does not tell which release it serves: ${printable(state.message)}`;
    case 'unreachable':
      return `no answer: ${printable(state.message)}`;
  }
}
