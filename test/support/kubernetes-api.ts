import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../src/gather/deployment/kubernetes/kubernetes-object.js';
import { serve } from './server.js';
import { temporaryFolder } from './temporary-folder.js';

type Json = Record<string, unknown>;

/** All that is read, and Secrets. */
const served = Object.entries({ ...resources, Secret: 'secrets' }).map(([kind, resource]) => {
  const [plural = '', ...group] = resource.split('.');
  const version = group[0] === 'autoscaling' ? 'v2' : 'v1';
  return { kind, plural, groupVersion: [group.join('.'), version].filter((part) => part !== '').join('/') };
});

export interface Cluster {
  readonly objects?: readonly Json[];
  /** Resources that may not be read. */
  readonly forbidden?: readonly string[];
  /** Resources that it does not know. */
  readonly unknown?: readonly string[];
  /** Answers every list with this. */
  readonly garbage?: string;
  readonly unauthorized?: boolean;
  /** Never answers a list. */
  readonly silent?: boolean;
  readonly namespace?: string;
}

const failure = (code: number, reason: string, message: string) => ({
  code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code },
});
const notFound = failure(404, 'NotFound', 'the server could not find the requested resource');

/** An API of Kubernetes on loopback that knows no verb but reading, and what it was asked. */
export async function serveKubernetes(cluster: Cluster) {
  const { forbidden = [], unknown = [], namespace = 'bi', objects = [] } = cluster;
  const known = served.filter(({ plural }) => !unknown.includes(plural));
  const asked: string[] = [];
  const answer = (path: string): { code: number; body: unknown } => {
    if (cluster.unauthorized === true) return failure(401, 'Unauthorized', 'Unauthorized');
    const found = (body: object) => ({ code: 200, body });
    if (path === '/version') return found({ major: '1', minor: '33', gitVersion: 'v1.33.0' });
    if (path === '/api') return found({ kind: 'APIVersions', versions: ['v1'] });
    if (path === '/apis') {
      const all = [...new Set(known.map(({ groupVersion }) => groupVersion))].filter((one) =>
        one.includes('/'),
      );
      const groups = all.map((groupVersion) => {
        const [name, version] = groupVersion.split('/');
        return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
      });
      return found({ kind: 'APIGroupList', apiVersion: 'v1', groups });
    }
    const [, groupVersion, , inNamespace, plural, name] =
      /^\/apis?\/([^/]+(?:\/v\d)?)(\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?)?$/.exec(path) ?? [];
    const own = known.filter((one) => one.groupVersion === groupVersion);
    if (plural === undefined && own.length > 0) {
      const listed = own.map(({ plural, kind }) => ({
        name: plural,
        kind,
        namespaced: true,
        verbs: ['get', 'list'],
      }));
      return found({ kind: 'APIResourceList', groupVersion, resources: listed });
    }
    const kind = own.find((one) => one.plural === plural)?.kind;
    if (kind === undefined || inNamespace !== namespace) return notFound;
    if (forbidden.includes(plural ?? '')) {
      return failure(403, 'Forbidden', `${plural} is forbidden: User "viewer" cannot list resource`);
    }
    const items = objects.filter((object) => object.kind === kind);
    if (name === undefined)
      return found({ kind: `${kind}List`, apiVersion: groupVersion, metadata: {}, items });
    const one = items.find(({ metadata }) => (metadata as Json | undefined)?.name === name);
    return one === undefined ? notFound : found(one);
  };
  const { port } = await serve(({ method, url = '' }, response) => {
    const path = url.split('?')[0] ?? '';
    asked.push(`${method} ${path}`);
    const isList = path.includes('/namespaces/');
    if (isList && cluster.silent === true) return;
    const { code, body } =
      method === 'GET' ? answer(path) : failure(405, 'MethodNotAllowed', 'reading alone');
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(isList && cluster.garbage !== undefined ? cluster.garbage : JSON.stringify(body));
  });
  return { asked, port };
}

/** A file of kubectl with one context, `prod-eu`, that leads to a port of this machine. */
export function writeKubeconfig(port: number, namespace: string, user: Json = {}): string {
  const file = join(temporaryFolder(), 'kubeconfig');
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'prod-eu' },
    contexts: [{ name: 'prod-eu', context: { cluster: 'x', user: 'x', namespace } }],
    users: [{ name: 'x', user }],
    clusters: [{ name: 'x', cluster: { server: `http://127.0.0.1:${port}` } }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
