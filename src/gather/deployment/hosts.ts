import type { ContainerFact } from '../../instance/facts/deployment-facts.js';

type Place = NonNullable<ContainerFact['databaseHost']>;

/** The variables that name where the database and the object store are; the first that is set counts. */
const ofDatabase: readonly string[] = ['PGCONNECTIONURI', 'PGHOST'];
const ofStore: readonly string[] = ['S3_ENDPOINT'];

/** The host that a variable names; undefined if it names none. */
export function hostIn(variable: string, value: string): string | undefined {
  if (variable === 'PGHOST') return value || undefined;
  return URL.canParse(value) ? new URL(value).hostname || undefined : undefined;
}

/** Where a host is, seen from a container, by its name alone. A name that may be in the deployment counts as inside. */
export function placeOf(host: string): Place {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
  if (name === 'localhost' || /^127\.|^::1$|^0\.0\.0\.0$/.test(name)) return 'loopback';
  // A folder is that of a socket.
  if (/^\/|\.svc(?:\.|$)|\.internal$|^172\.(?:1[6-9]|2\d|3[01])\./.test(name)) return 'inside';
  // A pod of a StatefulSet by its Service: `db-0.db-headless.namespace`.
  const [pod = '', service = '', ...others] = name.split('.');
  const ofPod = /^(.+)-\d+$/.exec(pod)?.[1];
  if (others.length === 1 && ofPod !== undefined && service.startsWith(ofPod)) return 'inside';
  // `name.namespace` is a Service of Kubernetes.
  return name.split(/[.:]/).length > 2 ? 'outside' : 'inside';
}

/** Where the database and the object store of a container are, as far as its variables tell. */
export function placesOfHosts(
  hostOf: (variable: string) => string | undefined,
  isInside: (host: string) => boolean = () => false,
): Pick<ContainerFact, 'databaseHost' | 'storeHost'> {
  const place = (names: readonly string[]): Place | undefined => {
    const host = names.map(hostOf).find((known) => known !== undefined);
    if (host === undefined) return undefined;
    return isInside(host) ? 'inside' : placeOf(host);
  };
  const databaseHost = place(ofDatabase);
  const storeHost = place(ofStore);
  return { ...(databaseHost ? { databaseHost } : {}), ...(storeHost ? { storeHost } : {}) };
}
