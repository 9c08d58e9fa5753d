import type { CanaryEvidence } from '../../src/checks/after-upgrade/canary.js';
import type { PodsEvidence } from '../../src/checks/after-upgrade/pods.js';
import type { FindingStatus } from '../../src/checks/check.js';
import type { Written } from './findings.js';

type Evidence = PodsEvidence | CanaryEvidence;
type Kind = Evidence['kind'];
type WithoutKind<One> = One extends unknown ? Written<Omit<One, 'kind'>> : never;
type Of<One extends Kind> = WithoutKind<Extract<Evidence, { readonly kind: One }>>;
type Examples = { readonly [One in Kind]: readonly [FindingStatus, Of<One>, ...Of<One>[]] };

const place = { pod: 'lightdash-backend-7d9f-x2x', namespace: 'bi' };
const elsewhere = { pod: 'lightdash-worker-0', namespace: null };
const backend = 'Deployment lightdash-backend';
const image = 'lightdash/lightdash:2.0.0';
const to = '2.1.0';

/** What upgrade-verify finds of its own, every kind with what it can be about; evidence that is told otherwise is another. */
export const verifyFindingExamples: Examples = {
  'workload-of-another-release': ['stop', { workload: backend, image, to }],
  'pod-of-another-release': [
    'stop',
    { ...place, image, to, ending: false },
    { ...elsewhere, image, to, ending: true },
  ],
  'pod-release-not-told': ['not-checked', { ...place, image: 'registry.example.com/lightdash:latest' }],
  'pod-not-ready': [
    'stop',
    { ...place, phase: 'Pending', container: null, reason: null, restarts: 0 },
    { ...elsewhere, phase: 'Running', container: 'lightdash', reason: 'CrashLoopBackOff', restarts: 1 },
    { ...place, phase: 'Running', container: 'lightdash', reason: 'CrashLoopBackOff', restarts: 4 },
  ],
  'pod-restarted': [
    'warn',
    { ...place, container: 'lightdash', restarts: 1, reason: null, exitCode: null },
    { ...elsewhere, container: 'lightdash', restarts: 2, reason: 'OOMKilled', exitCode: null },
    { ...place, container: 'lightdash', restarts: 2, reason: 'Error', exitCode: 137 },
  ],
  'pod-failed': ['warn', { ...place, reason: null }, { ...elsewhere, reason: 'Evicted' }],
  'workload-lacks-pods': [
    'stop',
    { workload: backend, wanted: 1, running: 0 },
    { workload: backend, wanted: 3, running: 2 },
  ],
  'workload-at-zero': ['stop', { workload: backend }],
  'migration-job-failed': [
    'stop',
    { workload: 'Job migrate', failed: 1 },
    { workload: 'Job migrate', failed: 2 },
  ],
  'migration-job-not-ended': ['stop', { workload: 'Job migrate' }],
  'pods-run-the-release': ['ok', { to, pods: 1, workloads: 1 }, { to, pods: 3, workloads: 2 }],
  'canary-rows': ['ok', { rows: 1 }, { rows: 2000 }],
  'canary-without-rows': ['stop', {}],
  'canary-from-cache': ['not-checked', {}],
  'canary-refused': [
    'stop',
    { errors: [{ kind: 'fan_out', message: 'It would count rows twice.' }] },
    {
      errors: [
        { kind: 'fan_out', message: 'It would count rows twice.' },
        { kind: 'reserved_source_id', message: 'merged is reserved.' },
      ],
    },
  ],
  'canary-ended': ['stop', { status: 'error', reason: null }, { status: 'error', reason: 'no such column' }],
  'canary-failed': [
    'not-checked',
    { message: 'the server is gone', hint: null },
    { message: 'the server is gone', hint: 'Look at it.' },
  ],
  'canary-not-available': ['not-checked', { message: 'POST https://lightdash.example.com/api: HTTP 404' }],
  'canary-not-run': ['not-checked', { message: 'the token is not set', hint: 'Set it.' }],
};
