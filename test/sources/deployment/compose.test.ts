import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LightspanError } from '../../../src/errors.js';
import { factsText } from '../../../src/facts/facts-text.js';
import { parseFactsFile } from '../../../src/facts/read-facts.js';
import { type ComposeFacts, collectComposeFacts } from '../../../src/sources/deployment/compose.js';
import { type ComposeCase, canary, composeCases } from '../../support/compose-cases.js';
import { now, read, seen, write } from '../../support/compose-facts.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('the facts of compose files', { timeout: 20_000 }, () => {
  it('hold how Swarm would replace a service, where the file says what only Swarm follows', async () => {
    const { workloads } = seen(await read(composeCase('what only Swarm follows'), false));
    expect(Object.fromEntries(workloads.map(({ name, strategy }) => [name, strategy]))).toEqual({
      first: 'start-first',
      joined: 'start-first',
      default: 'stop-first',
      back: 'stop-first',
      everywhere: 'global',
      replicated: null,
    });
  });

  it.each(composeCases)('hold no value of a variable: $name', async (one) => {
    expect(JSON.stringify(await read(one, false))).not.toContain(canary);
    expect(JSON.stringify(await read(one, true))).not.toContain(canary);
  });

  it.each(composeCases)('fit a facts file: $name', async (one) => {
    const facts = await read(one, false);
    const text = factsText({ schemaVersion: '1', collectedAt: now().toISOString(), facts });
    expect(parseFactsFile(text).facts).toEqual(facts);
    expect(Object.values(facts).map(({ seenAt }) => seenAt)).toEqual(Array(3).fill(now().toISOString()));
  });

  it('know the database by the name that the publisher gives it', async () => {
    const compose = 'services: {lightdash: {image: "a:1"}, db: {image: "example.com/pg:16"}}';
    const one = { name: 'db', compose: ['compose.yaml'], env: {}, files: { 'compose.yaml': compose } };
    const { workloads } = seen(await read(one, false));
    expect(workloads.map(({ role }) => role)).toEqual(['database', 'backend']);
  });

  it('tell the role of each service, what it starts, and its image', async () => {
    const { workloads } = seen(await read(composeCase('a broken one'), false));
    expect(
      workloads.map(({ name, role, containers: [one] }) => [name, role, one?.starts, one?.image.tag]),
    ).toEqual([
      ['db', 'database', 'entrypoint', null],
      ['headless-browser', 'other', 'entrypoint', null],
      ['lightdash', 'backend', 'entrypoint', 'latest'],
      ['scheduler', 'worker', 'worker', '1.190.0'],
    ]);
  });

  it('tell where a variable comes from, and whether it is set to nothing', async () => {
    const { workloads } = seen(await read(composeCase('files of variables'), false));
    const variables = workloads[0]?.containers[0]?.variables.map(({ name, object, empty }) => [
      name,
      object,
      empty,
    ]);
    expect(variables).toEqual([
      ['ALSO', null, true],
      ['EMPTY', 'lightdash.env', true],
      ['FROM_ENV', 'lightdash.env', false],
      ['LINE', 'lightdash.env', false],
      ['QUOTED', 'lightdash.env', false],
      ['REFERS', 'lightdash.env', false],
      ['SECRET', 'lightdash.env', false],
      ['SINGLE', 'lightdash.env', false],
      ['SPACED', 'lightdash.env', false],
    ]);
  });

  it.each([
    ['node dist/index.js', 'server', 'backend'],
    ['pnpm -F backend migrate-production up', 'migration', 'migration'],
    ['npx knex migrate:latest', 'migration', 'migration'],
    ['sh -c "pnpm -F backend migrate-production up && node dist/index.js"', 'migration', 'backend'],
    ['dumb-init -- node dist/scheduler.js', 'worker', 'worker'],
    ['sh -c /run.sh', 'other', 'backend'],
    ['', 'other', 'backend'],
  ])('tell what an entrypoint starts: %s', async (entrypoint, starts, role) => {
    const text = `services: {lightdash: {image: "lightdash/lightdash:1.0.0", entrypoint: '${entrypoint}'}}`;
    const [workload] = seen(await readText(text)).workloads;
    expect([workload?.containers[0]?.starts, workload?.role]).toEqual([starts, role]);
  });

  it('do not tell which variables a command of Lightdash reads', async () => {
    const by = 'entrypoint: [sh, -c, ". /run/secrets/env && node dist/index.js"]';
    const text = `services: {db: {image: "postgres:16", ${by}}, lightdash: {image: "lightdash/lightdash:1", ${by}}}`;
    const [db, lightdash] = seen(await readText(text)).workloads;
    const object = 'that the command of service lightdash may read';
    expect(db?.containers[0]?.variablesFrom).toEqual([]);
    expect(lightdash?.containers[0]?.variablesFrom).toEqual([
      { origin: 'env-file', object, prefix: '', keys: null },
    ]);
  });

  it('tell what is started by the command behind an entrypoint', async () => {
    const entrypoint = 'entrypoint: [dumb-init, --], command: node dist/scheduler.js';
    const text = `services: {lightdash: {image: "lightdash/lightdash:1.0.0", ${entrypoint}}}`;
    const [workload] = seen(await readText(text)).workloads;
    expect([workload?.containers[0]?.starts, workload?.role]).toEqual(['worker', 'worker']);
  });

  it.each([
    ['lightdash', '', 'backend'],
    ['db', '', 'other'],
    ['app', 'registry:5000/mirror/lightdash:1.0.0', 'backend'],
    ['app', 'ours/our-lightdash:1.0.0', 'backend'],
    ['our-lightdash', '', 'backend'],
    ['lightdash-db', '', 'other'],
    ['lightdash-db', 'postgres:15.4', 'database'],
    ['db', 'bitnami/postgresql:15', 'database'],
    ['lightdash-browser', 'browserless/chrome', 'other'],
    ['x', 'ours/lightdash-headless-browser:2', 'other'],
  ])('tell the role of the service %s with the image %j', async (service, image, role) => {
    const what = image === '' ? 'build: .' : `image: "${image}"`;
    expect(seen(await readText(`services: {${service}: {${what}}}`)).workloads[0]).toMatchObject({ role });
  });
});

/** Each with the line that is named; a value of a variable stands nowhere in what is said. */
const refused: readonly (readonly [what: string, text: string, said: string])[] = [
  ['extends', 'services:\n  a:\n    extends: b\n    image: x:1\n', ':3: extends is not read'],
  ['include', `include: [x.yml]\nservices: {a: {image: "x:1"}}`, ':1: include is not read'],
  ['profiles', 'services:\n  a:\n    image: x:1\n    profiles: [p]\n', ':4: profiles is not read'],
  [
    'a key that there is not',
    `services:\n  a:\n    image: x:1\n    imagee: ${canary}\n`,
    ':4: imagee is not read',
  ],
  [
    'a line break of YAML 1.1 in a comment',
    `services:\n  a:\n    image: x:1 # ${canary}\u2029    scale: 0\n`,
    ':3: the character U+2029 outside quotes begins a new line for some programs only',
  ],
  [
    'an alias as a key',
    'x-k: &k scale\nservices:\n  a:\n    image: x:1\n    *k : 0\n',
    ':5: With stringKeys, all keys must be strings',
  ],
  ['!reset', 'services:\n  a:\n    image: x:1\n    ports: !reset []\n', ':4: !reset is not read'],
  [
    '!override',
    'services:\n  a:\n    image: x:1\n    ports: !override ["80:80"]\n',
    ':4: !override is not read',
  ],
  [
    'a tag of its own',
    `services:\n  a:\n    image: x:1\n    environment:\n      A: !${canary} x\n`,
    ':5: Unresolved tag',
  ],
  [
    'an alias of nothing',
    `services:\n  a:\n    image: x:1\n    environment:\n      A: *${canary}\n`,
    ':5: nothing before it is named',
  ],
  [
    'a block with more in its head',
    `services:\n  a:\n    environment:\n      A: |${canary}\n`,
    ':4: Block scalar header includes extra characters',
  ],
  [
    'a variable in a list without quotes',
    `services:\n  a:\n    environment: [A, B=\${C:-${canary}}]\n`,
    ':3: Missing , or : between flow sequence items',
  ],
  [
    'a token that stands nowhere',
    `services:\n  a: "x" "${canary}"\n`,
    ':2: Unexpected double-quoted-scalar at node end',
  ],
  [
    'two documents',
    'services: {a: {image: "x:1"}}\n---\nservices: {a: {image: "x:2"}}\n',
    'a second document begins here',
  ],
  ['a variable that is never closed', `services:\n  a:\n    image: x:\${A:-1\n`, `:3: \${A is never closed`],
  [
    'another form of a variable',
    `services:\n  a:\n    image: x:\${A/1/2}\n`,
    ':3: a $ is not followed by a variable',
  ],
  ['two forms in one', `services:\n  a:\n    image: x:\${A-b:-c}\n`, `:3: \${A-…} holds another of :- :? :+`],
  [
    'a variable within that is unknown',
    `services:\n  a:\n    image: x:\${A:-\${B/1/2}}\n`,
    ':3: a $ is not followed by',
  ],
  [
    'a dollar alone',
    `services:\n  a:\n    image: x:1\n    environment: {A: "${canary}$"}\n`,
    ':4: a $ is not followed by',
  ],
  ['a variable that must be set', `services:\n  a:\n    image: x:\${A:?}\n`, ':3: A must be set, and is not'],
  ['no image', 'services:\n  a:\n    restart: always\n', ':3: the service a has neither image nor build'],
  ['an empty service', 'services:\n  a:\n', ':2: the service a is empty'],
  ['no services', 'volumes: {}\n', ':1: it has no services'],
  ['a list', '- a\n', ':1: it is not a compose file'],
  ['an image that is no text', 'services:\n  a:\n    image: 1\n', ':3: image is not text'],
  ['a name that is no text', 'name: [a]\nservices: {a: {image: "x:1"}}\n', ':1: name is not text'],
  [
    'a name of capitals',
    'name: Lightdash\nservices: {a: {image: "x:1"}}\n',
    'the name of the project may contain only',
  ],
  [
    'variables that are neither',
    `services:\n  a:\n    image: x:1\n    environment: ${canary}\n`,
    ':4: it is neither a map nor a list',
  ],
  [
    'a variable of nothing',
    `services:\n  a:\n    image: x:1\n    environment:\n      - =${canary}\n`,
    ':5: it is neither NAME=value nor NAME',
  ],
  [
    'a list in a list',
    `services:\n  a:\n    image: x:1\n    environment:\n      - [${canary}]\n`,
    ':5: it is neither NAME=value nor NAME',
  ],
  [
    'a variable that is a list',
    `services:\n  a:\n    image: x:1\n    environment:\n      A: [${canary}]\n`,
    ':5: A is not set to text',
  ],
  [
    'ports that are no list',
    'services:\n  a:\n    image: x:1\n    ports: "80:80"\n',
    ':4: ports is not a list',
  ],
  [
    'a port that is a name',
    'services:\n  a:\n    image: x:1\n    ports: ["http:80"]\n',
    ':4: it is not a port that lightspan understands',
  ],
  [
    'ranges of two lengths',
    'services:\n  a:\n    image: x:1\n    ports: ["80-82:80-81"]\n',
    ':4: the ranges of ports differ in length',
  ],
  [
    'a port with an unknown key',
    'services:\n  a:\n    image: x:1\n    ports: [{target: 1, where: 2}]\n',
    ':4: where of a port is not read',
  ],
  [
    'a port without a target',
    'services:\n  a:\n    image: x:1\n    ports: [{published: 1}]\n',
    ':4: the port has no target',
  ],
  [
    'a limit that is none',
    'services:\n  a:\n    image: x:1\n    mem_limit: much\n',
    ':4: mem_limit is not understood',
  ],
  [
    'two limits',
    'services:\n  a:\n    image: x:1\n    mem_limit: 1g\n    deploy: {resources: {limits: {memory: 2g}}}\n',
    ':4: mem_limit and deploy.resources.limits.memory differ',
  ],
  [
    'replicas that are none',
    'services:\n  a:\n    image: x:1\n    deploy: {replicas: some}\n',
    ':4: deploy.replicas is not understood',
  ],
  [
    'a time that is none',
    'services:\n  a:\n    image: x:1\n    stop_grace_period: soon\n',
    ':4: stop_grace_period is not understood',
  ],
  [
    'a file of variables that is not there',
    'services:\n  a:\n    image: x:1\n    env_file: there-is-none.env\n',
    ':4: the file of variables cannot be read',
  ],
  [
    'such a file of a list, by its path alone',
    'services:\n  a:\n    image: x:1\n    env_file: [{path: there-is-none.env}]\n',
    ':4: the file of variables cannot be read',
  ],
  [
    'such a file that must be there',
    'services:\n  a:\n    image: x:1\n    env_file: [{path: there-is-none.env, required: true}]\n',
    ':4: the file of variables cannot be read',
  ],
  [
    'a form of such a file',
    'services:\n  a:\n    image: x:1\n    env_file: [{path: a.env, format: raw}]\n',
    ':4: format of env_file is not read',
  ],
  [
    'whether it must be there',
    'services:\n  a:\n    image: x:1\n    env_file: [{path: a.env, required: perhaps}]\n',
    ':4: required is neither true nor false',
  ],
  [
    'a volume of a variable that is not set',
    `services:\n  a:\n    image: x:1\n    volumes:\n      - "\${NONE}:/data"\n`,
    ':5: nothing is before the colon',
  ],
  [
    'a key that stands twice',
    'services:\n  a:\n    image: x:1\n    image: x:2\n',
    ':4: the key "image" stands twice',
  ],
];

describe('without docker compose', () => {
  it.each(refused)('what is not known is refused: %s', async (_what, text, said) => {
    const error = await readText(text).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(LightspanError);
    expect(error).toMatchObject({ code: 'unreadable-source' });
    expect(String(error)).toContain(said);
    expect(String(error)).not.toContain(canary);
  });

  it('two limits that differ are told where the short one stands', async () => {
    const files = {
      'compose.yml': 'services:\n  a:\n    image: x:1\n    mem_limit: 1g\n',
      'over.yml': 'services:\n  a:\n    deploy: {resources: {limits: {memory: 2g}}}\n',
    };
    await expect(read({ files, compose: ['compose.yml', 'over.yml'] }, false)).rejects.toThrow(
      '/compose.yml:4: mem_limit and deploy.resources.limits.memory differ',
    );
  });

  it.each([
    ['no variable', `TAG=1\n${canary}!\n`, '.env:2: it is neither NAME=value nor a comment'],
    ['a colon', `TAG=1\nA: ${canary}\n`, '.env:2: it is neither NAME=value nor a comment'],
    ['a tab', `TAG=1\nexport\tA=${canary}\n`, '.env:2: it is neither NAME=value nor a comment'],
    ['a value over lines', `TAG=1\nA="${canary}\nx"\n`, '.env:2: its quotes do not close in the same line'],
    ['what follows a quote', `A='${canary}'x\n`, '.env:1: its quotes do not close in the same line'],
    ['a comment for a value', `A= # ${canary}\n`, '.env:1: a comment is where a value is expected'],
    ['a name alone at its end', `A=${canary}\nTAG`, '.env:2: a name alone ends the file'],
    ['a control character', `A=${canary}\0\n`, '.env:1: it contains control characters'],
    ['a form of a variable', `A=${canary}\${B/1/2}\n`, '.env:1: a $ is not followed by a variable'],
  ])('a .env file with %s is refused', async (_what, env, said) => {
    const files = { 'compose.yml': `services: {a: {image: "x:\${TAG}"}}`, '.env': env };
    const error = await read({ files, compose: ['compose.yml'] }, false).catch(String);
    expect(error).toContain(said);
    expect(error).not.toContain(canary);
  });

  it('an image is refused that is told by more than a plain word', async () => {
    const env = `TAG="1\\t${canary}"\n`;
    const compose = ['compose.yml'];
    const image = `services:\n  a:\n    image: "x:\${TAG:-1}"\n`;
    const refusal = read({ files: { 'compose.yml': image, '.env': env }, compose }, false);
    await expect(refusal).rejects.toThrow(':3: image contains a variable that is not one plain word');
    const elsewhere = `services: {a: {image: "x:1", environment: ["A=\${TAG}", TAG], labels: {l: "\${TAG}"}}, b: {image: "x:1", environment: {A: "\${TAG}"}}}`;
    const facts = await read({ files: { 'compose.yml': elsewhere, '.env': env }, compose }, false);
    expect(seen(facts).workloads.flatMap(({ containers }) => containers[0]?.variables ?? [])).toEqual(
      ['A', 'TAG', 'A'].map((name) => ({ name, origin: 'literal', object: null, empty: null })),
    );
  });

  it.each([
    ['8010-8010:80', '8010:80'],
    ['08010:080', '8010:80'],
    ['8010-8011:80', '8010-8011:80'],
    ['8010-8010:80-80', '8010:80'],
  ])('the port %s is %s, as for docker compose', async (written, port) => {
    const one = {
      files: { 'compose.yml': `services: {a: {image: "x:1", ports: ["${written}"]}}` },
      compose: ['compose.yml'],
    };
    const [workload] = seen(await read(one, false)).workloads;
    expect(workload?.publishedPorts).toEqual([port]);
  });

  it('a part is refused that a later file sets to nothing', async () => {
    const files = {
      'a.yml': 'services: {a: {image: "x:1", ports: ["80:80"]}}',
      'b.yml': 'services:\n  a:\n    ports:\n',
    };
    const refusal = read({ files, compose: ['a.yml', 'b.yml'] }, false);
    await expect(refusal).rejects.toThrow('b.yml:3: ports is empty, and overrides another file');
  });

  it.each([
    ...['annotations', 'attach', 'blkio_config', 'cap_add', 'cap_drop', 'cgroup', 'cgroup_parent', 'configs'],
    ...['container_name', 'cpu_count', 'cpu_percent', 'cpu_period', 'cpu_quota', 'cpu_rt_period'],
    ...[
      'cpu_rt_runtime',
      'cpu_shares',
      'cpus',
      'cpuset',
      'credential_spec',
      'depends_on',
      'device_cgroup_rules',
    ],
    ...[
      'devices',
      'dns',
      'dns_opt',
      'dns_search',
      'domainname',
      'expose',
      'external_links',
      'extra_hosts',
      'gpus',
    ],
    ...['group_add', 'healthcheck', 'hostname', 'init', 'ipc', 'isolation', 'labels', 'links', 'logging'],
    ...['mac_address', 'mem_reservation', 'mem_swappiness', 'memswap_limit', 'network_mode', 'networks'],
    ...[
      'oom_kill_disable',
      'oom_score_adj',
      'pid',
      'pids_limit',
      'platform',
      'privileged',
      'read_only',
      'runtime',
    ],
    ...[
      'secrets',
      'security_opt',
      'shm_size',
      'stdin_open',
      'stop_signal',
      'storage_opt',
      'sysctls',
      'tmpfs',
      'tty',
    ],
    ...['ulimits', 'user', 'userns_mode', 'uts', 'volumes', 'volumes_from', 'working_dir', 'x-own'],
  ])('%s of a service tells nothing of an upgrade, and is no fault', async (key) => {
    const service = { image: 'x:1', [key]: null };
    expect(seen(await readText(JSON.stringify({ services: { a: service } }))).workloads).toHaveLength(1);
  });

  it.each(['version', 'volumes', 'networks', 'configs', 'secrets', 'x-own'])(
    '%s of a file tells nothing of its services, and is no fault',
    async (key) => {
      const file = { [key]: null, services: { a: { image: 'x:1' } } };
      expect(seen(await readText(JSON.stringify(file))).workloads).toHaveLength(1);
    },
  );

  it.each(['environment', 'env_file', 'ports', 'command', 'entrypoint', 'deploy', 'restart'])(
    'a part that is left empty says nothing: %s',
    async (key) => {
      const bare = await readText('services: {a: {image: "x:1"}}');
      const empty = await readText(`services: {a: {image: "x:1", ${key}: }}`);
      expect(seen(empty)).toEqual(seen(bare));
    },
  );

  it('a part that tells nothing of an upgrade may be set to nothing', async () => {
    const files = {
      'a.yml': 'services: {a: {image: "x:1", hostname: bi}}',
      'b.yml': 'services:\n  a:\n    hostname:\n',
    };
    const { workloads } = seen(await read({ files, compose: ['a.yml', 'b.yml'] }, false));
    expect(workloads.map(({ name }) => name)).toEqual(['a']);
  });

  it('the folder must give a project its name', async () => {
    const files = { '___/compose.yml': 'services: {a: {image: "x:1"}}' };
    await expect(read({ files, compose: ['___/compose.yml'] }, false)).rejects.toThrow(
      'the name of the project',
    );
  });

  it('--env-file must be there', async () => {
    const files = { 'compose.yml': 'services: {a: {image: "x:1"}}' };
    const refusal = read({ files, compose: ['compose.yml'], envFiles: ['none.env'] }, false);
    await expect(refusal).rejects.toThrow('there is no such file');
    const folder = write({ files });
    mkdirSync(join(folder, '.env'));
    await expect(read({ files, compose: ['compose.yml'] }, false, folder)).rejects.toThrow('it is a folder');
  });
});

describe('docker compose', () => {
  /** A program of that name, which answers as the test wants it. */
  const withProgram = async (script: string, text = 'services: {a: {image: "x:1"}}') => {
    const folder = write({ files: { 'compose.yml': text } });
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'docker-compose'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return collectComposeFacts({
      files: [join(folder, 'compose.yml')],
      env: { PATH: `${bin}:/usr/bin:/bin` },
      now,
    });
  };
  const answers = (json: string) => `case "$*" in version*) echo 2.30.0 ;; *) printf '%s' '${json}' ;; esac`;

  it.each([
    ['of the first version', 'echo 1.29.2'],
    ['that is broken', 'exit 1'],
  ])('%s is not asked', async (_what, script) => {
    expect((await withProgram(script)).compose).toMatchObject({ value: { readBy: 'lightspan' } });
  });

  it.each([
    ['what is no JSON', 'no'],
    ['another form', '{"services":[]}'],
    ['a limit that is none', '{"name":"a","services":{"a":{"image":"x:1","mem_limit":"much"}}}'],
    ['a time that is none', '{"name":"a","services":{"a":{"image":"x:1","stop_grace_period":"soon"}}}'],
  ])('that prints %s is not believed', async (_what, json) => {
    await expect(withProgram(answers(json))).rejects.toThrow(
      'prints something that this lightspan cannot read',
    );
  });

  it('fetches nothing that a file includes', async () => {
    const remotes = '"$COMPOSE_EXPERIMENTAL_GIT_REMOTE $COMPOSE_EXPERIMENTAL_OCI_REMOTE"';
    const script = `[ ${remotes} = 'false false' ] || exit 1; ${answers('{"name":"a","services":{"a":{"image":"x:2"}}}')}`;
    expect(seen(await withProgram(script)).workloads).toMatchObject([
      { containers: [{ image: { reference: 'x:2' } }] },
    ]);
  });

  it('that refuses the files is not gone past, and what it says is not shown', async () => {
    const script = `case "$*" in version*) echo 2.30.0 ;; *) echo 'invalid ${canary}' >&2; exit 15 ;; esac`;
    const error = await withProgram(script).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: 'unreadable-source' });
    expect(String(error)).toMatch(
      /docker compose cannot read the files: docker-compose --file .* config --format json$/,
    );
    expect(JSON.stringify(error)).not.toContain(canary);
  });

  it('may print the files of variables as older and newer versions do', async () => {
    const facts = await withProgram(
      answers(
        '{"name":"a","services":{"a":{"image":"x:1","environment":{"A":"","B":"1"},"env_file":["one.env"]}}}',
      ),
    );
    expect(seen(facts).workloads[0]?.containers[0]?.variables.map(({ origin }) => origin)).toEqual([
      'literal',
      'literal',
    ]);
  });
});

describe('the files that are named', () => {
  const files = {
    'docker-compose.yml': 'services: {a: {image: "x:1"}}',
    'docker-compose.override.yml': 'services: {a: {image: "x:2"}}',
  };

  it('are all that compose would join', async () => {
    const [file, override] = Object.keys(files);
    await expect(read({ files, compose: [file ?? ''] }, false)).rejects.toThrow(
      /docker-compose.override.yml is next to .*, and compose joins both/,
    );
    const both = await read({ files, compose: [file ?? '', override ?? ''] }, false);
    expect(seen(both).workloads[0]?.containers[0]?.image.tag).toBe('2');
    const without = await read(
      { files, compose: [file ?? ''], env: { COMPOSE_FILE: 'docker-compose.yml' } },
      false,
    );
    expect(seen(without).workloads[0]?.containers[0]?.image.tag).toBe('1');
  });

  it.each(['compose.override', 'docker-compose.override'].flatMap((name) => [`${name}.yml`, `${name}.yaml`]))(
    'are not those without %s beside them',
    async (override) => {
      const beside = { 'compose.yaml': 'services: {a: {image: "x:1"}}', [override]: 'services: {}' };
      const refusal = read({ files: beside, compose: ['compose.yaml'] }, false);
      await expect(refusal).rejects.toThrow(new RegExp(`/${override} is next to .*/compose.yaml, and`));
    },
  );

  it('must be there, and be files', async () => {
    await expect(read({ files: {}, compose: ['none.yml'] }, true, temporaryFolder())).rejects.toThrow(
      'there is no such file',
    );
    await expect(collectComposeFacts({ files: ['-'], env: {}, now })).rejects.toThrow(
      '--compose takes the names of compose files',
    );
    await expect(collectComposeFacts({ files: [], env: {}, now })).rejects.toThrow(
      '--compose takes the names of compose files',
    );
  });
});

function composeCase(name: string): ComposeCase {
  const found = composeCases.find((one) => one.name.startsWith(name));
  if (found === undefined) throw new Error(`no case ${name}`);
  return found;
}

async function readText(text: string): Promise<ComposeFacts> {
  return read({ files: { 'compose.yml': text }, compose: ['compose.yml'] }, false);
}
