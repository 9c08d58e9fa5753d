/** What becomes facts of a compose project: its name, and each service as compose would run it. */
export interface ComposeProject {
  readonly name: string;
  readonly services: readonly ComposeService[];
}

export interface ComposeService {
  readonly name: string;
  /** Undefined if it is built without a name. */
  readonly image: string | undefined;
  readonly pullPolicy: string | undefined;
  /** Undefined if the image's own applies. */
  readonly entrypoint: readonly string[] | undefined;
  readonly command: readonly string[] | undefined;
  readonly variables: readonly ComposeVariable[];
  /** In the form `127.0.0.1:8080:80/udp`; unset parts and `/tcp` are left out. */
  readonly ports: readonly string[];
  readonly restart: string | undefined;
  readonly replicas: number | undefined;
  readonly memoryLimitBytes: number | undefined;
  readonly graceSeconds: number | undefined;
  /** How Swarm would replace its containers, if `deploy` has what only Swarm follows. */
  readonly ofSwarm: string | undefined;
  /** Whether it stands in a profile that is not switched on, so that `docker compose up` leaves it out. */
  readonly heldBack: boolean;
}

/** A variable of a service. Its value is not kept. */
export interface ComposeVariable {
  readonly name: string;
  readonly origin: 'literal' | 'env-file';
  /** The file of `env_file` that it comes from, relative to the folder of the project; null if not known. */
  readonly file: string | null;
  /** Null if its value is not known. */
  readonly empty: boolean | null;
}

/** `global` for one on every node; else the order in which the old and the new container stop and start. */
export function replacementBySwarm(deploy: {
  readonly mode: unknown;
  readonly order: string | undefined;
  readonly isConfigured: boolean;
}): string | undefined {
  if (deploy.mode === 'global') return 'global';
  return deploy.order ?? (deploy.isConfigured ? 'stop-first' : undefined);
}

const units: Readonly<Record<string, number>> = { b: 0, k: 1, m: 2, g: 3, t: 4 };

/** `512m`, `2gb`, `1.5GiB` or a number of bytes. */
export function bytesOf(text: string): number | undefined {
  const [, amount, unit = 'b'] = /^(\d{1,15}(?:\.\d{1,6})?) ?(?:([bkmgt])(?:i?b)?)?$/i.exec(text) ?? [];
  const power = units[unit.toLowerCase()];
  return amount === undefined || power === undefined ? undefined : Math.floor(Number(amount) * 1024 ** power);
}

const secondsOfUnit: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, us: 0.000_001 };

/** `90s`, `1m30s`, rounded up to whole seconds. */
export function secondsOf(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:h|ms|us|m|s))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(h|ms|us|m|s)/g)];
  return Math.ceil(
    parts.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (secondsOfUnit[unit] ?? 0), 0),
  );
}

/** A port in the form of the facts. */
export function portOf({
  hostIp,
  published,
  target,
  protocol,
}: {
  readonly hostIp: string | undefined;
  readonly published: string | undefined;
  readonly target: string;
  readonly protocol: string | undefined;
}): string {
  const host = hostIp?.includes(':') ? `[${hostIp}]` : hostIp;
  const parts = [host, published ?? (host === undefined ? undefined : ''), target];
  const suffix = protocol === undefined || protocol === 'tcp' ? '' : `/${protocol}`;
  return `${parts.filter((part) => part !== undefined).join(':')}${suffix}`;
}
