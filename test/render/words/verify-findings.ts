import type { FindingStatus } from '../../../src/preflight/finding.js';
import type { CanaryEvidence } from '../../../src/verify/canary.js';
import type { ChangeEvidence } from '../../../src/verify/changes.js';
import type { PodsEvidence } from '../../../src/verify/pods.js';

type Evidence = PodsEvidence | CanaryEvidence | ChangeEvidence;
type Kind = Evidence['kind'];
type WithoutKind<One> = One extends unknown ? Omit<One, 'kind'> : never;
type Of<One extends Kind> = WithoutKind<Extract<Evidence, { readonly kind: One }>>;
type Examples = { readonly [One in Kind]: readonly [FindingStatus, Of<One>, ...Of<One>[]] };

const place = { pod: 'lightdash-backend-7d9f-x2x', namespace: 'bi' };
const elsewhere = { pod: 'lightdash-worker-0', namespace: null };
const backend = 'Deployment lightdash-backend';
const image = 'lightdash/lightdash:2.0.0';
const to = '2.1.0';
const a = '20260801000000_add_spaces';
const b = '20260802000000_drop_old_spaces';
const nobody = { by: [] };
const by = { by: [b] };

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
  'canary-not-run': ['not-checked', { message: 'the token is not set', hint: 'Set it.' }],
  'nothing-differs': ['ok', {}],
  'nothing-compared': ['not-checked', nobody],
  'fact-not-compared': [
    'not-checked',
    { ...nobody, fact: 'indexes', missing: 'before', why: 'not-permitted' },
    { ...nobody, fact: 'indexes', missing: 'after', why: 'not-permitted' },
    { ...nobody, fact: 'ledger', missing: 'after', why: 'absent' },
  ],
  'another-database': ['stop', { ...nobody, before: 'lightdash', after: 'lightdash_new' }],
  'another-ledger': ['stop', { ...nobody, names: [a] }, { ...nobody, names: [a, b] }],
  'migrations-run': ['ok', { ...nobody, names: [a] }, { ...nobody, names: [a, b] }],
  'migrations-gone': ['stop', { ...nobody, names: [a] }, { ...nobody, names: [a, b] }],
  'tables-added': ['ok', { ...nobody, tables: ['spaces'] }, { ...nobody, tables: ['spaces', 'things'] }],
  'table-gone': [
    'stop',
    { ...nobody, table: 'old_spaces', rows: null },
    { ...nobody, table: 'old_spaces', rows: 1 },
    { ...by, table: 'old_spaces', rows: 12 },
  ],
  'table-emptied': [
    'warn',
    { ...nobody, table: 'old_spaces', rows: 1 },
    { ...by, table: 'old_spaces', rows: 12 },
  ],
  'rows-changed': ['ok', { ...nobody, tables: [{ table: 'spaces', before: 3, after: 30 }] }],
  'rows-not-told': ['not-checked', { ...nobody, tables: [{ table: 'spaces', before: 3 }] }],
  'indexes-added': ['ok', { ...nobody, indexes: ['i'] }, { ...nobody, indexes: ['i', 'j'] }],
  'index-gone': ['warn', { ...nobody, index: 'i', table: 'spaces' }, { ...by, index: 'i', table: 'spaces' }],
  'index-turned-invalid': ['stop', { ...nobody, index: 'i', table: 'spaces' }],
  'constraint-gone': [
    'warn',
    { ...nobody, constraint: 'c', table: 'spaces' },
    { ...by, constraint: 'c', table: 'spaces' },
  ],
  'constraint-not-validated': ['warn', { ...nobody, constraint: 'c', table: 'spaces' }],
  'extension-gone': ['stop', { ...nobody, name: 'vector', before: '0.7.0' }],
  'extensions-changed': [
    'ok',
    {
      ...nobody,
      extensions: [
        { name: 'vector', before: '0.7.0', after: '0.8.0' },
        { name: 'pg_trgm', before: null, after: '1.6' },
      ],
    },
  ],
  'settings-changed': ['ok', { ...nobody, settings: [{ name: 'lockTimeoutMs', before: '0', after: null }] }],
  'workload-gone': ['warn', { ...nobody, workload: backend }],
  'workloads-added': ['ok', { ...nobody, workloads: [backend] }],
  'images-changed': [
    'ok',
    { ...nobody, workload: backend, images: [{ name: 'lightdash', before: image, after: `${image}1` }] },
  ],
  'variables-changed': [
    'warn',
    { ...nobody, workload: backend, added: ['NEW'], gone: [] },
    { ...nobody, workload: backend, added: [], gone: ['OLD'] },
    { ...nobody, workload: backend, added: ['NEW'], gone: ['OLD'] },
  ],
  'replicas-changed': [
    'ok',
    { ...nobody, workload: backend, before: 1, after: 2 },
    { ...nobody, workload: backend, before: null, after: 0 },
    { ...nobody, workload: backend, before: 1, after: null },
  ],
};
