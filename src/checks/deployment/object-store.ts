import type { WorkloadFact } from '../../instance/facts/deployment-facts.js';
import { placeOfData, usesOutside, workloadName, workloadsNotSeen } from '../../instance/workloads.js';
import { defineCheck, ok, stop, warn } from '../check.js';
import { judgeKeptData } from './kept-data.js';

const move =
  'Give RustFS its own volume, with MinIO beside it on the old one. Copy every object over S3, compare the ' +
  'counts of each bucket, and only then name RustFS in S3_ENDPOINT. Keep the MinIO volume until you have ' +
  'looked at pictures and exports.';

export const objectStore = defineCheck({
  id: 'object-store',
  needs: ['deployment', 'workloads'],
  *judge({ facts: { deployment, workloads } }) {
    const lacking = workloadsNotSeen(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;
    const stores = workloads.flatMap(({ store, ...workload }) =>
      store === undefined
        ? []
        : [{ ...store, workload: workloadName(workload), containers: workload.containers }],
    );
    const ofMinio = stores.filter(({ kind }) => kind === 'minio').flatMap(({ volumes }) => volumes);
    for (const { kind, volumes, workload, containers } of stores) {
      if (kind !== 'rustfs') continue;
      for (const volume of volumes) {
        const isShared = ofMinio.includes(volume);
        if (isShared || /minio[^/]*$/i.test(volume))
          yield stop(volume, { kind: 'rustfs-on-volume-of-minio', workload, volume, isShared });
      }
      const names = containers.flatMap(({ variables }) => variables.map(({ name }) => name));
      const unread = names.filter((name) => name.startsWith('MINIO_'));
      if (unread.length > 0 && !names.some((name) => /^RUSTFS_(?:ACCESS|SECRET)_KEY/.test(name)))
        yield warn(workload, { kind: 'store-has-variables-of-minio', workload, variables: unread });
    }
    yield* judgeData(workloads);
    for (const workload of workloads) {
      for (const { storeEndpoint } of workload.containers) {
        if (storeEndpoint === undefined) continue;
        const { host, workload: store, reachesPort, credentials } = storeEndpoint;
        const user = workloadName(workload);
        if (store === null) yield warn(host, { kind: 'store-gone', workload: user, host });
        if (reachesPort === false) yield warn(host, { kind: 'store-on-other-port', workload: user, host });
        if (credentials === 'other-secret' || credentials === 'of-another-store')
          yield warn(host, { kind: 'store-credentials-swapped', workload: user, host, credentials });
      }
    }
    return ok({ kind: 'object-store-kept', stores: stores.length });
  },
})({
  label: 'Object store',
  meaning:
    'Whether the object store deployed with Lightdash, MinIO or RustFS, is the one that Lightdash uses. What ' +
    'it looks at: The images and volumes of workloads, and in a compose project whether S3_ENDPOINT names one ' +
    'of its services, on its port, with its credentials. Only how these values compare is recorded. Keys that ' +
    'a store made itself are not visible.',
  finds: {
    'rustfs-on-volume-of-minio': {
      meaning:
        'RustFS would start on a volume that holds the files of MinIO. It cannot read them, and damages them. ' +
        'Whatever is stored only there is lost: pictures of dashboards, exports, cached results, bundles of ' +
        'data apps.',
      remedy: `Do not start it. ${move}`,
      describe: ({ workload, volume, isShared }) =>
        `${workload} runs RustFS on ${volume}, ${isShared ? 'which MinIO also uses' : 'by its name a MinIO volume'}`,
    },
    'store-not-kept': {
      meaning:
        'The objects are in no named volume, no claim and no folder of the host. Whatever replaces the ' +
        'container of the store loses what is stored only there: pictures of dashboards, exports, cached ' +
        'results, bundles of data apps.',
      remedy:
        'Copy every object over S3 first. Then mount a volume at the folder of its data, and copy ' +
        'them back. Until then, do not stop or recreate it.',
      describe: ({ workload, folder, keptIn }) =>
        `${placeOfData(workload, { folder, keptIn })}: replacing the container loses it`,
    },
    'store-has-variables-of-minio': {
      meaning: 'RustFS is given MinIO variables. It does not read them, and starts with its own defaults.',
      remedy: 'Set RUSTFS_ACCESS_KEY and RUSTFS_SECRET_KEY, and give Lightdash the same.',
      describe: ({ workload, variables }) => `${workload} runs RustFS, but is given ${variables.join(', ')}`,
    },
    'store-gone': {
      meaning: 'S3_ENDPOINT names a service that the project does not have, or no longer has.',
      remedy: `Keep the service until its objects have been moved. ${move}`,
      describe: ({ workload, host }) =>
        `S3_ENDPOINT of ${workload} names ${host}, which is not a service of the project`,
    },
    'store-on-other-port': {
      meaning:
        'S3_ENDPOINT names a port on which the object store does not listen inside the project. Published ' +
        'ports count only outside it, and the web page of the store has a port of its own.',
      remedy: 'Name the port of S3 inside the project: 9000, unless its service says otherwise.',
      describe: ({ workload, host }) =>
        `S3_ENDPOINT of ${workload} names a different port from that of ${host}`,
    },
    'store-credentials-swapped': {
      meaning:
        'Lightdash has the credentials of a different object store from the one it names, or only half of them.',
      remedy: 'Set both S3_ACCESS_KEY and S3_SECRET_KEY to the values of the store.',
      describe: ({ workload, host, credentials }) =>
        credentials === 'other-secret'
          ? `${workload} has a different secret from ${host}`
          : `${workload} has the credentials of a different store from ${host}`,
    },
    'object-store-kept': ({ stores }) =>
      stores === 0
        ? 'no object store is deployed with Lightdash'
        : 'Lightdash names the store that is deployed',
  },
});

/** Of every store that Lightdash uses, or may use. */
function* judgeData(workloads: readonly WorkloadFact[]) {
  if (usesOutside(workloads, 'storeHost')) return;
  const named = workloads.flatMap(({ containers }) =>
    containers.flatMap(({ storeEndpoint }) => storeEndpoint?.workload ?? []),
  );
  for (const workload of workloads) {
    if (workload.store === undefined || (named.length > 0 && !named.includes(workload.name))) continue;
    yield* judgeKeptData('store-not-kept', workload, workloadName(workload));
  }
}
