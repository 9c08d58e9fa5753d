import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { deploymentOf } from '../../src/instance/deployment.js';
import { planRoute } from '../../src/library/library.js';
import { sharedFunctions } from '../../src/steps/functions.js';
import { helmFunctions, helmTool } from '../../src/steps/helm.js';
import { stepsOf } from '../../src/steps/steps.js';
import { fetchHelm } from '../support/helm.js';
import { realIndex } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What the rehearsal of a hop reads, by the real Helm and kubectl: the objects that a chart makes of the values. */
const folder = temporaryFolder();
let programs: Record<string, string> = {};
beforeAll(() => {
  programs = fetchHelm();
  const templates = join(folder, 'chart', 'templates');
  mkdirSync(templates, { recursive: true });
  writeFileSync(join(folder, 'chart', 'Chart.yaml'), 'apiVersion: v2\nname: lightdash\nversion: 2.16.361\n');
  writeFileSync(join(folder, 'chart', 'values.yaml'), 'image: {tag: 1.111.0}\nupgrade: {mode: ""}\n');
  writeFileSync(
    join(templates, 'deployment.yaml'),
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: ld-backend}
spec:
  {{- with .Values.upgrade.mode }}
  strategy: {type: {{ . }}}
  {{- end }}
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
        - {name: lightdash, image: "lightdash/lightdash:{{ .Values.image.tag }}"}
        - {name: sidecar, image: "proxy:1"}
`,
  );
  // What the publisher's chart has besides: no workload, and a kind that only some clusters know.
  writeFileSync(
    join(templates, 'others.yaml'),
    `apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {note: "image: lightdash/lightdash:1.115.0"}
---
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: e}
spec: {target: {name: s}}
`,
  );
}, 300_000);

const [hop] = planRoute(realIndex(), { from: '1.111.0', to: '1.115.0' }).hops;
const deployment = {
  ...deploymentOf({}).helm,
  migrationJob: true,
  ...{ release: 'ld', namespace: 'bi', chartVersion: '2.16.361', file: 'values.yaml' },
};

/** The part of the look that asks no cluster, with a chart of this machine. */
function rehearsal(): string {
  if (hop?.strategy !== 'Recreate') throw new Error('no Recreate');
  const of = { hop, deployment };
  const [look] = stepsOf(of);
  const commands = look?.commands.filter((command) => command.startsWith('tagged ')) ?? [];
  const { functions, variables } = helmTool(of);
  const first = ['set -eu', `tag=${hop.toVersion} context= CHART=./chart`, ...variables];
  return [...first, ...sharedFunctions, ...helmFunctions, ...functions, ...commands].join('\n');
}

describe.each(['3', '4'])('by Helm %s and its kubectl', (major) => {
  it.each([
    ['the tag and the mode', 'image: {tag: 1.115.0}\nupgrade: {mode: Recreate}\n', ''],
    [
      'the tag in another place alone',
      'note: 1.115.0\nupgrade: {mode: Recreate}\n',
      'no image with the tag 1.115.0',
    ],
    ['a tag that goes on', 'image: {tag: 1.115.0-dev}\nupgrade: {mode: Recreate}\n', 'no image with the tag'],
    ['the tag in a comment', '# tag: 1.115.0\nupgrade: {mode: Recreate}\n', 'no image with the tag'],
    ['no mode', 'image: {tag: 1.115.0}\n', 'does not deploy with Recreate'],
    ['the mode', 'image: {tag: 1.115.0}\nupgrade: {mode: RollingUpdate}\n', 'does not deploy with Recreate'],
    ['a tag by anchor', 'x: &t 1.115.0\nimage: {tag: *t}\nupgrade: {mode: Recreate}\n', ''],
    ['no YAML', 'image: [\n', 'Error:'],
  ])('values with %s', (_, values, said) => {
    writeFileSync(join(folder, 'values.yaml'), values);
    const bin = ['helm', 'kubectl'].map((name) => join(programs[major] ?? '', name)).join(':');
    const { status, stderr } = spawnSync('sh', ['-c', rehearsal()], {
      cwd: folder,
      encoding: 'utf8',
      // No cluster: whatever would ask one fails.
      env: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, KUBECONFIG: '/dev/null' },
    });
    expect({ status, said: stderr.includes(said) }, stderr).toEqual({
      status: said === '' ? 0 : 1,
      said: true,
    });
  });
});
