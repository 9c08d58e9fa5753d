import type { ContainerFact, WorkloadFact } from '../../instance/facts/deployment-facts.js';

type Store = NonNullable<WorkloadFact['store']>;
type Environment = Readonly<Record<string, string | null>>;

/** Of a compose service, the part that tells of object stores. */
interface Service {
  readonly image?: string | null | undefined;
  readonly container_name?: string | null | undefined;
  readonly entrypoint?: readonly string[] | null | undefined;
  readonly command?: readonly string[] | null | undefined;
  readonly environment?: Environment | null | undefined;
  readonly networks?:
    | Readonly<Record<string, { aliases?: readonly string[] | null | undefined } | null | undefined>>
    | null
    | undefined;
  readonly [field: string]: unknown;
}

interface Project {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: unknown;
}

/** By the last part of the image. The tools of both have images of other names. */
export function kindOfStore(repository: string | null): Store['kind'] | undefined {
  const [, kind] = /(?:^|\/)(minio|rustfs)$/.exec(repository ?? '') ?? [];
  return kind === 'minio' || kind === 'rustfs' ? kind : undefined;
}

export function storeOfService(name: string, service: Service): Store | undefined {
  const kind = kindOfService(name, service);
  return kind && { kind, volumes: textsIn(service.volumes, ({ source }) => source) };
}

/** The claims and folders of the host that a pod has. */
export function volumesOfPod(volumes: unknown, templates: unknown): readonly string[] {
  return [
    ...textsIn(
      volumes,
      (volume) => Object(volume.persistentVolumeClaim).claimName ?? Object(volume.hostPath).path,
    ),
    ...textsIn(templates, ({ metadata }) => Object(metadata).name),
  ];
}

/** The claims that a pod has by their names. */
export function claimsOfPod(volumes: unknown): readonly string[] {
  return textsIn(volumes, (volume) => Object(volume.persistentVolumeClaim).claimName);
}

function textsIn(list: unknown, textOf: (entry: Record<string, unknown>) => unknown): string[] {
  return (Array.isArray(list) ? list : [])
    .map((entry) => textOf(Object(entry)))
    .filter((text) => typeof text === 'string');
}

function kindOfService(name: string, { image }: Service): Store['kind'] | undefined {
  return kindOfStore(image?.replace(/@.*|:[^/:]*$/g, '') ?? name);
}

/**
 * How a service of Lightdash refers to an object store of its project. Of the variables' values, only the host inside
 * the project is kept, and whether the credentials are the same.
 */
export function storeEndpointOf(
  { environment, ...service }: Service,
  { services, networks }: Project,
): ContainerFact['storeEndpoint'] {
  const address = environment?.S3_ENDPOINT;
  if (!environment || !address || !URL.canParse(address)) return undefined;
  const { hostname: host, port, protocol } = new URL(address);
  // Only a name without a dot is one of the project.
  if (!/^[a-z][\w-]*$/.test(host) || host === 'localhost') return undefined;
  const all = Object.entries(services);
  const [found] = all.filter(([name, service]) => namesOf(name, service).includes(host));
  if (found === undefined) {
    const { extra_hosts, links, external_links, network_mode } = service;
    const isExternal = Object.values(Object(networks)).some((network) => Boolean(Object(network).external));
    // Something outside the project may bear the name.
    const isOpen = isExternal || [extra_hosts, links, external_links, network_mode].some(Boolean);
    return isOpen || !/minio|rustfs/.test(host)
      ? undefined
      : { host, workload: null, reachesPort: null, credentials: null };
  }
  const [name, store] = found;
  const kind = kindOfService(name, store);
  if (kind === undefined) return undefined;
  const listens = portOf(store);
  const requested = Number(port) || (protocol === 'https:' ? 443 : 80);
  return {
    ...{ host, workload: name },
    reachesPort: listens === undefined ? null : listens === requested,
    credentials: compareCredentials(environment, store.environment ?? {}, kind, all),
  };
}

function namesOf(name: string, { container_name, networks }: Service): readonly string[] {
  const aliases = Object.values(networks ?? {}).flatMap((network) => network?.aliases ?? []);
  return [name, container_name ?? '', ...aliases].map((host) => host.toLowerCase());
}

/** Both listen on port 9000 by default. */
function portOf({ environment, entrypoint, command }: Service): number | undefined {
  const words = [...(entrypoint ?? []), ...(command ?? [])].join(' ');
  const declared =
    environment?.RUSTFS_ADDRESS ??
    environment?.MINIO_ADDRESS ??
    /(?:^|\s)--address[= ](\S+)/.exec(words)?.[1];
  if (declared == null) return 9000;
  const [, port] = /:(\d{1,5})$/.exec(declared) ?? [];
  return port === undefined ? undefined : Number(port);
}

type Credentials = NonNullable<ContainerFact['storeEndpoint']>['credentials'];

/**
 * Whether the credentials of Lightdash are those of the store. A store that creates keys itself may accept any, so only
 * the keys of the other store, and half a pair, are wrong.
 */
function compareCredentials(
  ofLightdash: Environment,
  ofStore: Environment,
  kind: Store['kind'],
  services: readonly (readonly [name: string, service: Service])[],
): Credentials {
  const { S3_ACCESS_KEY: key, S3_SECRET_KEY: secret } = ofLightdash;
  if (!key || !secret || Object.keys(ofStore).some((name) => name.endsWith('_FILE'))) return null;
  const [rightKey, rightSecret] = credentialsOf(kind, ofStore);
  if (key === rightKey) return secret === rightSecret ? 'same' : 'other-secret';
  const otherKind = kind === 'minio' ? 'rustfs' : 'minio';
  const otherStores = services.filter(([name, service]) => kindOfService(name, service) === otherKind);
  const foreign = [{}, ...otherStores.map(([, { environment }]) => environment ?? {})];
  return foreign.some((environment) => credentialsOf(otherKind, environment)[0] === key)
    ? 'of-another-store'
    : null;
}

function credentialsOf(
  kind: Store['kind'],
  environment: Environment,
): readonly [key: string, secret: string] {
  if (kind === 'rustfs') {
    return [environment.RUSTFS_ACCESS_KEY ?? 'rustfsadmin', environment.RUSTFS_SECRET_KEY ?? 'rustfsadmin'];
  }
  return [environment.MINIO_ROOT_USER ?? 'minioadmin', environment.MINIO_ROOT_PASSWORD ?? 'minioadmin'];
}
