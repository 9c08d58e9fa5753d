#!/usr/bin/env node
/**
 * Stand-ins for docker, kubectl and Helm 3 and 4 that keep state in $WORLD/world.json: what runs, with which image, how
 * often, who owns the number of replicas, what is pending. What needs no daemon is asked of the real programs: docker
 * compose config. The database is a real one.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const folder = process.env.WORLD;
const file = join(folder, 'world.json');
const [program, ...argv] = process.argv.slice(2);
const read = () => JSON.parse(readFileSync(file, 'utf8'));
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** One process after the other changes the world; one that was killed meanwhile holds up nobody. */
function change(make) {
  const lock = `${file}.lock`;
  for (;;) {
    try {
      symlinkSync(String(process.pid), lock);
      break;
    } catch {
      try {
        if (!isAlive(readlinkSync(lock))) unlinkSync(lock);
      } catch {
        // Another one was quicker.
      }
      pause(5);
    }
  }
  try {
    const world = read();
    const result = make(world);
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(world, null, 1));
    renameSync(`${file}.${process.pid}`, file);
    return result;
  } finally {
    unlinkSync(lock);
  }
}

/** An end of the program, which may come in the middle of a change. */
class Ending {
  constructor(code) {
    this.code = code;
  }
}
process.on('uncaughtException', (error) => {
  if (!(error instanceof Ending)) process.stderr.write(`${error.stack}\n`);
  process.exit(error instanceof Ending ? error.code : 70);
});

function end(code, words = '', to = process.stderr) {
  if (words !== '') to.write(`${words}\n`);
  throw new Ending(code);
}

const say = (text) => process.stdout.write(`${text}\n`);
// A process that has ended may still have its number, as long as nobody has asked for its end.
const isAlive = (pid) => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/**
 * A process of the world, which stays when this one ends. It begins once the world knows its number: whoever is killed
 * in the middle of a change leaves nothing at work that the world does not know of. Whether this process still lives is
 * asked before the world is read: after its end nothing in there changes any more.
 */
function begin(script, env) {
  const child = spawn(
    'sh',
    [
      '-c',
      `while :; do
  kill -0 ${process.pid} 2> /dev/null; ended=$?
  grep -Eq ": ?$$([^0-9]|$)" '${file}' && break
  [ "$ended" = 0 ] || exit 1
  /bin/sleep 0.005
done
${script}`,
    ],
    { detached: true, stdio: 'ignore', env },
  );
  child.unref();
  return child.pid;
}

/** A client of the database that stays: it reads from a pipe that nobody closes. */
function connect(name) {
  const { database, socket, port, role } = read();
  const pipe = join(folder, 'endless');
  return begin(`exec psql -X -q -h '${socket}' -p ${port} -U '${role}' -d '${database}' <> '${pipe}'`, {
    PATH: process.env.PATH,
    PGAPPNAME: `lightdash ${name}`,
  });
}

function disconnect(pid) {
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

const versionOf = (image) => /:v?(\d+\.\d+\.\d+)/.exec(image)?.[1];

/** What an image does to the database when it migrates, apart from whoever has begun it. */
function migrate(version, after = '') {
  const { database, socket, port, role, migrations } = read();
  const sql = migrations[version];
  const script = `psql -X -q -v ON_ERROR_STOP=1 -h '${socket}' -p ${port} -U '${role}' -d '${database}' <<'SQL' 2>> '${folder}/migration.log'
${sql ?? 'SELECT 1'}
SQL
${after}`;
  return begin(script, { ...process.env, PGAPPNAME: 'lightdash migration' });
}

function inDatabase(command) {
  const { socket, port } = read();
  const env = {
    ...process.env,
    ...{ PGHOST: socket, PGPORT: String(port), POSTGRES_USER: 'postgres', POSTGRES_DB: 'lightdash' },
  };
  const { status, signal } = spawnSync(command[0], command.slice(1), { stdio: 'inherit', env });
  end(status ?? (signal ? 1 : 0));
}

appendFileSync(join(folder, 'calls'), `${program} ${argv.join(' ')}\n`);
const fault = read().fault;
if (fault && `${program} ${argv.join(' ')}`.includes(fault.call)) {
  const nth = change((world) => {
    world.fault.seen = (world.fault.seen ?? 0) + 1;
    return world.fault.seen;
  });
  if (nth === (fault.nth ?? 1) && fault.how === 'hang') {
    say('HANGS');
    spawnSync('sleep', ['30']);
    end(1);
  }
  if (nth === (fault.nth ?? 1) && fault.how === 'fail') end(1, 'a fault of the bench');
}

if (program === 'docker') docker();
else if (program === 'kubectl') kubectl();
else helm();

function docker() {
  const { realCompose } = read();
  const real = () => {
    const { status } = spawnSync(realCompose, argv.slice(1), { stdio: 'inherit' });
    end(status ?? 1);
  };
  if (argv[0] === 'context') return say(process.env.DOCKER_CONTEXT ?? 'default');
  if (argv[0] === 'inspect') {
    const container = read().containers[argv.at(-1)];
    if (container === undefined) return end(1, 'no such container');
    return say(`${container.service} ${container.image} ${JSON.stringify(container.env)}`);
  }
  if (argv[0] === 'image')
    return (read().loaded ?? []).includes(argv.at(-1)) ? undefined : end(1, 'No such image');
  if (argv[0] !== 'compose') return end(125, `the stand-in has no docker ${argv.join(' ')}`);
  let at = 1;
  while (argv[at]?.startsWith('--')) at += 2;
  const [command, ...rest] = argv.slice(at);
  const servicesOf = () => {
    const { status, stdout, stderr } = spawnSync(
      realCompose,
      [...argv.slice(1, at), 'config', '--format', 'json'],
      {
        encoding: 'utf8',
        env: { ...process.env, COMPOSE_PROFILES: '*' },
      },
    );
    return status === 0 ? JSON.parse(stdout).services : end(1, stderr);
  };
  const name = process.env.COMPOSE_PROJECT_NAME ?? 'bi';
  const named = (value) => {
    const flags = [];
    for (let i = 0; i < rest.length; i += 1) {
      if (rest[i] === value || rest[i] === '--timeout' || rest[i] === '--scale') i += 1;
      else if (!rest[i].startsWith('-')) flags.push(rest[i]);
    }
    return flags;
  };
  if (command === 'version' || command === 'config') return real();
  const ofProject = (world) => Object.entries(world.containers).filter(([, one]) => one.project === name);
  const start = (world, service, image, { environment } = {}) => {
    const [id] = ofProject(world).find(([, one]) => one.service === service) ?? [`${name}-${service}-1`];
    const before = world.containers[id];
    if (before?.running && before.image === image) return;
    const env = environment
      ? Object.entries(environment).map(([key, value]) => `${key}=${value}`)
      : (before?.env ?? []);
    disconnect(before?.client);
    const isLightdash = /lightdash/.test(image);
    world.containers[id] = { project: name, service, image, env, running: true };
    if (!isLightdash) return;
    const isBackend = service === 'lightdash';
    const version = versionOf(image);
    if (isBackend && version !== undefined && world.migrations[version] !== undefined) {
      world.containers[id].migration = migrate(version);
    }
    world.containers[id].client = connect(service);
  };
  if (command === 'ps') {
    for (const [id, { running }] of ofProject(read())) if (running || rest.includes('--all')) say(id);
    return undefined;
  }
  if (command === 'pull') {
    const { image } = servicesOf()[rest[0]];
    return /^our\//.test(image ?? '') ? end(1, 'pull access denied for our/lightdash') : undefined;
  }
  if (command === 'run')
    return end(
      Number(process.env.PREFLIGHT ?? 0),
      process.env.PREFLIGHT ? '{"decision":"abort"}' : '{"decision":"proceed"}',
      process.stdout,
    );
  if (command === 'stop') {
    return change((world) => {
      for (const [, one] of ofProject(world)) {
        if (!one.running || !named('').includes(one.service)) continue;
        if (one.migration !== undefined && isAlive(one.migration)) world.killedMigrations += 1;
        if (one.migration !== undefined) {
          try {
            process.kill(-one.migration, 'SIGKILL');
          } catch {}
        }
        disconnect(one.client);
        one.running = false;
      }
    });
  }
  if (command === 'start') {
    return change((world) => {
      for (const service of named('')) {
        const [, one] = ofProject(world).find(([, found]) => found.service === service) ?? [];
        if (one === undefined) return end(1, `no container of ${service}`);
        start(world, service, one.image);
      }
    });
  }
  if (command === 'up') {
    const services = servicesOf();
    return change((world) => {
      const asked = named('');
      const active = (service) =>
        (services[service].profiles ?? []).length === 0 ||
        services[service].profiles.includes(process.env.COMPOSE_PROFILES ?? '');
      const all = asked.length > 0 ? asked : Object.keys(services).filter(active);
      for (const service of all)
        start(world, service, services[service].image ?? `${name}-${service}`, services[service]);
      if (world.gone && all.includes('db')) world.newDatabase = true;
    });
  }
  if (command === 'down') {
    return change((world) => {
      for (const [id, one] of ofProject(world)) {
        disconnect(one.client);
        delete world.containers[id];
      }
      if (world.anonymousVolume) world.gone = true;
    });
  }
  if (command === 'exec') {
    const words = rest.filter((word) => word !== '-T');
    if (words[0] === 'db') return inDatabase(words.slice(1));
  }
  return end(125, `the stand-in has no docker compose ${argv.slice(at).join(' ')}`);
}

function option(name) {
  const at = argv.indexOf(name);
  return at === -1 ? argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) : argv[at + 1];
}

/** The objects of the cluster that the call is for: those of another context are of another one. */
function clusterOf(world) {
  const context = option('--context') ?? option('--kube-context') ?? world.context;
  const cluster = world.clusters[context];
  return cluster ?? end(1, `context "${context}" does not exist`);
}

function scale(deployment, name, replicas, by) {
  if (deployment.replicas !== replicas) deployment.owner = by;
  deployment.replicas = replicas;
  disconnect(deployment.client);
  delete deployment.client;
  if (replicas > 0) deployment.client = connect(name);
}

function kubectl() {
  const [verb, what] = argv;
  if (verb === 'config')
    return read().context === null ? end(1, 'current-context is not set') : say(read().context);
  if (verb === 'label') {
    // The objects of the stand-in of Helm, a line each.
    for (const [, kind, type, image] of readFileSync(0, 'utf8').matchAll(
      /kind: (\w+)[\s\S]*?type: (\w+)[\s\S]*?image: "(.*?)"/g,
    ))
      say(`${kind} ${type} ${image}`);
    return undefined;
  }
  const output = option('--output') ?? '';
  const words = argv.filter((word, i) => !word.startsWith('-') && !argv[i - 1]?.startsWith('--'));
  if (verb === 'exec') {
    const command = argv.slice(argv.indexOf('--') + 1);
    if (argv.some((word) => word.startsWith('statefulset/'))) return inDatabase(command);
    const name = argv.find((word) => word.startsWith('deployment/'))?.slice(11);
    const deployment = clusterOf(read()).deployments[name];
    if ((deployment?.replicas ?? 0) === 0) return end(1, 'no pod');
    const value = deployment.env?.[command[1]];
    return value === undefined ? end(1) : say(value);
  }
  if (verb === 'diff') {
    process.stdin.resume();
    process.stdin.on('end', () => end(1, '+ a difference', process.stdout));
    return undefined;
  }
  if (verb === 'scale') {
    return change((world) => {
      const { deployments } = clusterOf(world);
      for (const name of words.slice(2)) {
        if (deployments[name] === undefined) return end(1, `deployment ${name} not found`);
        scale(deployments[name], name, Number(option('--replicas')), 'kubectl');
      }
    });
  }
  if (verb === 'wait') return undefined;
  if (verb === 'rollout') {
    for (let tries = 0; tries < 200; tries += 1) {
      const { deployments } = clusterOf(read());
      const one = deployments[words[3]];
      if (one === undefined) return end(1, `deployment ${words[3]} not found`);
      if (one.migration === undefined || !isAlive(one.migration)) return say('successfully rolled out');
      pause(50);
    }
    return end(1, 'exceeded its progress deadline');
  }
  if (verb === 'delete' && what === 'secret') {
    return change((world) => {
      const { release } = clusterOf(world);
      if (option('--selector')?.includes(`status=${release.status}`))
        release.status = release.before ?? 'deployed';
    });
  }
  if (verb === 'apply') {
    const text = readFileSync(option('--filename'), 'utf8');
    if (/resourceVersion/.test(text))
      return end(1, 'resourceVersion should not be set on objects to be created');
    return change((world) => {
      clusterOf(world).autoscalers[/name: (\S+)/.exec(text)[1]] = /target: (\S+)/.exec(text)[1];
    });
  }
  if (verb === 'logs') return say(`the log of ${what}`);
  if (verb === 'get' && what === 'events') return say('the events');
  if (verb !== 'get') return end(125, `the stand-in has no kubectl ${argv.join(' ')}`);
  const cluster = clusterOf(read());
  if (what === 'job') {
    for (const [name, { pid }] of Object.entries(cluster.jobs)) say(`${name} ${isAlive(pid) ? 1 : ''}`);
    return undefined;
  }
  if (what === 'horizontalpodautoscaler') {
    const [name] = words.slice(2);
    if (name === undefined) {
      for (const [one, target] of Object.entries(cluster.autoscalers)) say(`${one} ${target}`);
      return undefined;
    }
    const target = cluster.autoscalers[name];
    if (target === undefined) return argv.includes('--ignore-not-found') ? undefined : end(1, 'not found');
    if (output === 'name') return say(`horizontalpodautoscaler.autoscaling/${name}`);
    return say(`metadata:\n  name: ${name}\n  resourceVersion: "7"\n  uid: x\nspec:\n  target: ${target}`);
  }
  const line = (name) => {
    const { replicas, image } = cluster.deployments[name];
    return `${name} ${replicas} ${image}`;
  };
  if (what.includes(',')) {
    for (const name of Object.keys(cluster.deployments)) say(`${name} ${cluster.deployments[name].image}`);
    return undefined;
  }
  const [name] = words.slice(2);
  if (name === undefined) return process.stdout.write(Object.keys(cluster.deployments).join(' '));
  const deployment = cluster.deployments[name];
  if (deployment === undefined) return end(1, `deployment ${name} not found`);
  if (output.includes('labels}')) return process.stdout.write(JSON.stringify(deployment.labels ?? {}));
  if (output.includes('go-template')) return process.stdout.write(`app=${name},`);
  if (output.includes('metadata.name')) return process.stdout.write(line(name));
  return process.stdout.write(String(deployment.replicas));
}

function helm() {
  const world = read();
  const [verb, name] = argv;
  if (verb === 'version') return say(world.helm === 3 ? 'v3.17.2+gcc0bbbd' : 'v4.1.4+g0123456');
  if (verb === 'repo')
    return name === 'list' ? say('lightdash\thttps://lightdash.github.io/helm-charts') : undefined;
  if (verb === 'get') return say(clusterOf(world).release.values ?? 'null');
  if (verb === 'status') {
    const { release } = clusterOf(world);
    return release === undefined
      ? end(1, 'Error: release: not found')
      : say(`NAME: ${name}\nSTATUS: ${release.status}\n`);
  }
  const files = argv.flatMap((word, i) => (argv[i - 1] === '--values' ? [word] : []));
  const texts = files.map((one) => (one === '-' ? readFileSync(0, 'utf8') : readFileSync(one, 'utf8')));
  const last = (expression) =>
    texts.map((text) => expression.exec(text)?.[1]).findLast((found) => found !== undefined);
  const tag = last(/tag: "?([\w.-]+)/) ?? '0.0.0';
  const mode = last(/mode: (\w+)/) ?? 'RollingUpdate';
  const cluster = clusterOf(world);
  const image = `lightdash/lightdash:${tag}`;
  if (verb === 'template') {
    for (const one of Object.keys(cluster.deployments)) {
      say(
        `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${one}, annotations: {note: "${last(/note: (\w+)/) ?? ''}"}}`,
      );
      say(
        `spec: {strategy: {type: ${mode}}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: l, image: "${image}"}]}}}`,
      );
    }
    return undefined;
  }
  if (verb !== 'upgrade') return end(125, `the stand-in has no helm ${argv.join(' ')}`);
  if (argv.includes('--dry-run')) return undefined;
  const onServer = argv.find((word) => word.startsWith('--server-side'));
  if (world.helm === 3 && onServer !== undefined) return end(1, 'Error: unknown flag: --server-side');
  change((all) => {
    const { release, jobs } = clusterOf(all);
    if (release.status.startsWith('pending'))
      return end(1, 'Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress');
    release.before = release.status;
    release.status = 'pending-upgrade';
    if (!all.migrationJob) return undefined;
    // Before a hook is created, one of the same name is deleted, at work or not.
    const job = jobs['bi-migrate'];
    if (job !== undefined && isAlive(job.pid)) {
      all.killedMigrations += 1;
      process.kill(-job.pid, 'SIGKILL');
    }
    jobs['bi-migrate'] = { pid: migrate(versionOf(image), `echo $? > '${folder}/job-ended'`) };
    return undefined;
  });
  while (world.migrationJob && isAlive(clusterOf(read()).jobs['bi-migrate'].pid)) pause(20);
  change((all) => {
    const { release, deployments, jobs, chartReplicas = 1 } = clusterOf(all);
    if (all.migrationJob && readFileSync(join(folder, 'job-ended'), 'utf8').trim() !== '0') {
      release.status = 'failed';
      return;
    }
    delete jobs['bi-migrate'];
    for (const [one, deployment] of Object.entries(deployments)) {
      if (all.helm === 4 && onServer !== '--server-side=false' && deployment.owner === 'kubectl') {
        release.status = 'failed';
        return;
      }
      const isNew = deployment.image !== image;
      deployment.image = image;
      const wanted = Object.values(clusterOf(all).autoscalers).includes(one)
        ? deployment.replicas
        : chartReplicas;
      scale(deployment, one, wanted, 'helm');
      if (isNew && !all.migrationJob && one.endsWith('backend'))
        deployment.migration = migrate(versionOf(image));
    }
    release.status = 'deployed';
  });
  const { status } = clusterOf(read()).release;
  return status === 'deployed'
    ? say('Release "bi" has been upgraded.')
    : end(1, 'Error: UPGRADE FAILED: conflict with "kubectl": .spec.replicas, or the job failed');
}
