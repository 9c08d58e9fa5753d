import type { ImageFact, WorkloadFact } from '../../instance/facts/deployment-facts.js';
import { majorOfImage } from '../../instance/image-reference.js';
import type { Mount, Mounts } from './mounts.js';

type KeptData = NonNullable<WorkloadFact['data']>;

/** A container, as far as it tells where it keeps its data. */
interface DataContainer {
  readonly image: Pick<ImageFact, 'repository' | 'tag'>;
  readonly words: readonly string[];
  /** The value of a variable; undefined if it is not set, null if it may be and was not seen. */
  readonly variable: (name: string) => string | null | undefined;
  readonly mounts: Mounts;
}

/** The folders that may hold the data. */
interface Folders {
  readonly folders: readonly string[];
  /** Whether the data is surely in one of these folders, and not in one that only the image knows. */
  readonly isSure: boolean;
  /** Folders for which the image itself declares a volume: an anonymous one, unless exactly that folder is mounted. */
  readonly declared: readonly string[];
}

/** What keeps the data of a PostgreSQL server. */
export function keptDatabase(container: DataContainer): KeptData {
  const imageFolders = foldersOfImage(container.image);
  const { words, variable } = container;
  const line = words.join(' ');
  const [, folderOfCommand] =
    /(?:^|\s)(?:-D[ =]?|--data[-_]directory[ =]|-c ?data_directory=)(\/[^\s'"]+)/.exec(line) ?? [];
  const folderOfVariable = [variable('PGDATA'), variable('POSTGRESQL_DATA_DIR')].find(
    (value) => value !== undefined,
  );
  const folder = folderOfCommand ?? folderOfVariable;
  if (folder === null || (folder !== undefined && !/^\/[^$]*$/.test(folder)))
    return { folder: 'PGDATA', keptIn: 'not-told' };
  return keptData(
    folder === undefined ? imageFolders : { ...imageFolders, folders: [folder], isSure: true },
    container.mounts,
  );
}

const beforeEighteen = '/var/lib/postgresql/data';

/**
 * The folders in which an image keeps its data, by the name of the image: mirrors and derived images usually keep them.
 */
function foldersOfImage(image: DataContainer['image']): Folders {
  const repository = image.repository ?? '';
  const [, name = ''] = /([^/]*)$/.exec(repository) ?? [];
  if (/bitnami/.test(repository) || /^postgresql(?:-repmgr)?$/.test(name)) {
    const folders = ['/bitnami/postgresql/data'];
    // Others build images of that name too.
    return { folders, isSure: /bitnami/.test(repository), declared: ['/bitnami/postgresql'] };
  }
  if (/^postgresql-\d+(?:-\w+)?$/.test(name)) {
    const folders = ['/var/lib/pgsql/data/userdata'];
    return { folders, isSure: true, declared: ['/var/lib/pgsql/data'] };
  }
  if (/^spilo-\d+$/.test(name))
    return { folders: ['/home/postgres/pgdata/pgroot/data'], isSure: true, declared: [] };
  if (name === 'timescaledb-ha')
    return { folders: ['/home/postgres/pgdata/data'], isSure: true, declared: [] };
  // That of kartoza has a folder for each cluster.
  const isSure = /^(?:postgres|pgvector|postgis|timescaledb)$/.test(name) && !/^kartoza\//.test(repository);
  const major = majorOfImage(image);
  const fromEighteen = `/var/lib/postgresql/${major ?? 18}/docker`;
  if (major !== undefined && major >= 18)
    return { folders: [fromEighteen], isSure, declared: isSure ? ['/var/lib/postgresql'] : [] };
  const declared = isSure ? [beforeEighteen] : [];
  return {
    folders: major === undefined ? [beforeEighteen, fromEighteen] : [beforeEighteen],
    isSure,
    declared,
  };
}

/** What keeps the objects of a store. */
export function keptObjects(
  kind: 'minio' | 'rustfs',
  { image, words, variable, mounts }: DataContainer,
): KeptData {
  const set = variable(kind === 'minio' ? 'MINIO_VOLUMES' : 'RUSTFS_VOLUMES');
  if (set === null)
    return { folder: kind === 'minio' ? 'MINIO_VOLUMES' : 'RUSTFS_VOLUMES', keptIn: 'not-told' };
  const line = set ?? words.join(' ').replace(/--(?:certs|config)-dir[= ]\S+/g, '');
  const [, served = kind === 'minio' && set === undefined ? '' : line] =
    /\bserver\s([^;&|]*)/.exec(line) ?? [];
  const named = [...served.matchAll(/(?:^|[\s"'])(?:https?:\/\/[^\s/]+)?(\/[^\s"']+)/g)]
    .flatMap(([, folder]) => folder ?? [])
    .filter((folder) => !/^\/(?:usr|bin|opt)\/|\.sh$/.test(folder));
  const isBitnami = /bitnami/.test(image.repository ?? '');
  const usual = isBitnami ? ['/bitnami/minio/data', '/data'] : ['/data'];
  if (named.length > 0 || kind === 'rustfs')
    return keptData({ folders: named.length > 0 ? named : usual, isSure: true, declared: [] }, mounts);
  // MinIO takes its folders from its command or its variables. Neither was seen here, so the first lasting volume that
  // may hold data counts.
  const [lasting] = mounts.mounts.filter(({ keptIn, target }) => keptIn === 'volume' && mayHoldData(target));
  const written = lasting === undefined ? usual : [lasting.target];
  return keptData({ folders: written, isSure: true, declared: [] }, mounts);
}

function keptData({ folders, isSure, declared }: Folders, { mounts, isPart }: Mounts): KeptData {
  const declaredMounts = declared.map((target): Mount => ({ target, keptIn: 'container-volume' }));
  const all = [...declaredMounts, ...mounts];
  const keptFolders = folders.map(
    (folder): KeptData => ({ folder, keptIn: innermost(folder, all) ?? 'container' }),
  );
  const [first = { folder: '', keptIn: 'not-told' } as const] = keptFolders;
  const kept = keptFolders.find(({ keptIn }) => keptIn === 'volume');
  if (kept !== undefined) return kept;
  const mayBeElsewhere =
    !isSure && mounts.some(({ target, keptIn }) => keptIn === 'volume' && mayHoldData(target));
  return isPart || mayBeElsewhere ? { ...first, keptIn: 'not-told' } : first;
}

/** Whether a mount may hold data: it is no folder of settings, and none of scripts that fill an empty database. */
function mayHoldData(target: string): boolean {
  return !/^\/(?:docker-entrypoint-initdb\.d|etc)(?:\/|$)|\.(?:sql|sh|conf|crt|key|pem)(?:\.gz)?$/.test(
    target,
  );
}

/** The mount that a folder lies in: the longest of several paths, and the later of two equal ones. */
function innermost(folder: string, mounts: readonly Mount[]): Mount['keptIn'] | undefined {
  return mounts
    .filter(({ target }) => isWithin(folder, target))
    .toSorted((a, b) => segmentsOf(a.target).length - segmentsOf(b.target).length)
    .at(-1)?.keptIn;
}

function isWithin(folder: string, target: string): boolean {
  const outer = segmentsOf(target);
  const inner = segmentsOf(folder);
  return outer.every((segment, i) => {
    // MinIO writes several folders as one: /data{1...4}.
    const [before = '', more] = (inner[i] ?? '/').split('{');
    return more === undefined ? segment === before : segment.startsWith(before);
  });
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}
