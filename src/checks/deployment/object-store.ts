import { lackingWorkloads, nameOf } from '../../instance/workloads.js';
import { defineCheck, ok, stop, warn } from '../check.js';

const move =
  'Give RustFS a volume of its own, with MinIO beside it on the old one; copy every object over S3, compare the counts of each bucket, and only then name RustFS in S3_ENDPOINT. Keep the volume of MinIO until pictures and exports were looked at.';

export const objectStore = defineCheck({
  id: 'object-store',
  needs: ['deployment', 'workloads'],
  *judge({ facts: { deployment, workloads } }) {
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;
    const stores = workloads.flatMap(({ store, ...workload }) =>
      store === undefined ? [] : [{ ...store, workload: nameOf(workload), containers: workload.containers }],
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
    for (const workload of workloads) {
      for (const { storeEndpoint } of workload.containers) {
        if (storeEndpoint === undefined) continue;
        const { host, workload: store, reachesPort, credentials } = storeEndpoint;
        const user = nameOf(workload);
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
    'Whether an object store that is deployed with Lightdash, MinIO or RustFS, is the one that Lightdash reaches. What it looks at: The images and volumes of workloads, and in a compose project whether S3_ENDPOINT names a service of it, on its port, with its credentials. Of these values, only how they compare is recorded. Keys that a store made itself are not seen.',
  finds: {
    'rustfs-on-volume-of-minio': {
      meaning:
        'RustFS is to start on a volume that holds the files of MinIO. It cannot read them, and damages them. What was only there is lost: pictures of dashboards, exports, cached results, bundles of data apps.',
      remedy: `Do not start it. ${move}`,
      describe: ({ workload, volume, isShared }) =>
        `${workload} runs RustFS on ${volume}, ${isShared ? 'which MinIO has as well' : 'a volume of MinIO by its name'}`,
    },
    'store-has-variables-of-minio': {
      meaning: 'RustFS is given variables of MinIO, which it does not read: it starts with its own defaults.',
      remedy: 'Set RUSTFS_ACCESS_KEY and RUSTFS_SECRET_KEY, and give Lightdash the same.',
      describe: ({ workload, variables }) => `${workload} runs RustFS, and is given ${variables.join(', ')}`,
    },
    'store-gone': {
      meaning: 'S3_ENDPOINT names a service that the project does not have (any more).',
      remedy: `Keep the service until its objects are moved. ${move}`,
      describe: ({ workload, host }) =>
        `S3_ENDPOINT of ${workload} names ${host}, which is no service of the project`,
    },
    'store-on-other-port': {
      meaning:
        'S3_ENDPOINT names a port on which the object store does not listen inside the project: ports that are published count outside it alone, and the page of the store has another one.',
      remedy: 'Name the port of S3 inside the project: 9000, unless its service says otherwise.',
      describe: ({ workload, host }) => `S3_ENDPOINT of ${workload} names another port than that of ${host}`,
    },
    'store-credentials-swapped': {
      meaning:
        'Lightdash is given credentials of another object store than the one it names, or half of them.',
      remedy: 'Give S3_ACCESS_KEY and S3_SECRET_KEY the values that the store has, both of them.',
      describe: ({ workload, host, credentials }) =>
        `${workload} has ${credentials === 'other-secret' ? 'another secret than' : 'the credentials of another store than'} ${host}`,
    },
    'object-store-kept': ({ stores }) =>
      stores === 0
        ? 'no object store is deployed with Lightdash'
        : 'what is deployed is what Lightdash names',
  },
});
