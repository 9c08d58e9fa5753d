import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { realIndex } from './support/real-index.js';
import { startRegistry } from './support/registry-server.js';
import { contradicting, writeReportMirror } from './support/report-mirror.js';
import { temporaryFolder } from './support/temporary-folder.js';

const files = {
  GitHub: 'examples/github-actions/scheduled-bump.yml',
  GitLab: 'examples/gitlab-ci/scheduled-bump.gitlab-ci.yml',
};
const textOf = (file: string) => readFileSync(file, 'utf8');

/** The script of the job, with the index of the test. */
function jobOf(name: keyof typeof files): { readonly script: string; readonly env: Record<string, string> } {
  const document = parse(textOf(files[name]));
  if (name === 'GitLab') {
    const { script, variables } = document['lightdash-bump'];
    return { script: script.slice(1).join('\n'), env: variables };
  }
  const { run, env } = document.jobs.bump.steps.at(-1);
  return { script: run, env };
}

/**
 * A stand-in for gh and glab, which need their forge: it keeps what they are told, and refuses what they are not known to
 * take.
 */
const forge = `
const { readFileSync, writeFileSync, existsSync, appendFileSync } = require('node:fs');
const [program, ...argv] = process.argv.slice(2);
const file = process.env.HOME + '/forge.json';
const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { request: [], issue: [] };
state.label ??= [];
const [noun, verb, ...rest] = argv;
const kind = noun === 'issue' || (noun === 'label' && program === 'gh') ? noun : noun === (program === 'gh' ? 'pr' : 'mr') ? 'request' : null;
const flags = {}; const names = [];
for (let i = 0; i < rest.length; i++) {
  if (rest[i] === '--yes' || rest[i] === '--force') continue;
  if (rest[i].startsWith('--')) flags[rest[i].slice(2)] = rest[++i]; else names.push(rest[i]);
}
const known = program === 'gh'
  ? { list: 'limit json jq head label', create: 'head title body-file label description', edit: 'title body-file remove-label', close: 'comment' }
  : { list: 'search in output source-branch label', create: 'source-branch target-branch title description label', update: 'title description unlabel', close: '', note: 'message' };
const strange = Object.keys(flags).filter((flag) => !(known[verb] ?? '').split(' ').includes(flag));
if (kind === null || known[verb] === undefined || strange.length > 0) { console.error('unknown: ' + argv.join(' ')); process.exit(64); }
const body = flags['body-file'] ? readFileSync(flags['body-file'], 'utf8') : flags.description;
const head = flags.head ?? flags['source-branch'];
const save = () => writeFileSync(file, JSON.stringify(state));
const log = (text) => appendFileSync(process.env.HOME + '/done', text + '\\n');
if (verb === 'list') {
  const open = state[kind].filter((item) => item.open && (head === undefined || item.head === head) && (flags.label === undefined || item.label === flags.label));
  const projects = ({ fork }) => kind === 'request' ? { source_project_id: fork ? 2 : 1, target_project_id: 1 } : {};
  if (program === 'glab') console.log(JSON.stringify(open.map((item) => ({ iid: item.number, title: item.title, ...projects(item) }))));
  else for (const { number, title, fork } of open) {
    const isMeant = kind === 'issue' ? flags.jq.includes(title) : !fork || !flags.jq.includes('select(.isCrossRepository | not)');
    if (isMeant) console.log(number);
  }
} else if (kind === 'label') {
  state.label.push(names[0]);
} else if (verb === 'create') {
  // gh takes no label that the repository lacks, and opens no second request of a branch.
  if (flags.label !== undefined && program === 'gh' && !state.label.includes(flags.label)) process.exit(1);
  if (kind === 'request' && state.request.some((item) => item.open && !item.fork && item.head === head)) process.exit(1);
  state[kind].push({ number: state[kind].length + 1, open: true, title: flags.title, body, head, label: flags.label });
  log('create ' + kind + ' ' + flags.title);
} else {
  const item = state[kind].find(({ number }) => String(number) === names[0]);
  if (item === undefined) process.exit(1);
  if (!item.open) process.exit(1);
  const unlabel = flags['remove-label'] ?? flags.unlabel;
  if (program === 'gh' && unlabel !== undefined && item.label !== unlabel) process.exit(1);
  if (item.label === unlabel) delete item.label;
  if (verb === 'close') item.open = false; else if (verb !== 'note') Object.assign(item, { title: flags.title ?? item.title, body });
  log(verb + ' ' + kind + ' ' + names[0]);
}
save();
`;

const mirror = temporaryFolder();
/** In which 1.157.0, which holds in the other, is proven. */
const greenMirror = temporaryFolder();
let registry = '';
beforeAll(async () => {
  await writeReportMirror(mirror, () => ({}));
  await writeReportMirror(greenMirror, () => ({}), { '1.157.0': true });
});
beforeEach(async () => {
  const images = realIndex().entries.map(({ version }) => `lightdash/lightdash:${version}`);
  registry = (await startRegistry({ images })).host;
});

class Project {
  readonly home = temporaryFolder();
  readonly origin = join(this.home, 'origin.git');

  constructor(readonly name: keyof typeof files) {
    const bin = join(this.home, 'bin');
    for (const folder of [bin, join(this.home, 'no-templates')]) mkdirSync(folder);
    writeFileSync(join(this.home, 'forge.cjs'), forge);
    const program = name === 'GitHub' ? 'gh' : 'glab';
    this.tool(program, `exec ${process.execPath} "$HOME/forge.cjs" ${program} "$@"`);
    this.tool('node', `exec ${process.execPath} "$@"`);
    this.tool('lightspan', `exec ${process.execPath} ${resolve('bin/lightspan.cjs')} "$@"`);
    this.git(this.home, 'init', '--quiet', '--bare', '--initial-branch=main', this.origin);
    const url = 'https://bump:secret@gitlab.example.com/acme/infra.git';
    this.git(this.home, 'config', '--global', `url.${this.origin}.insteadOf`, url);
  }

  get gitEnv() {
    return { HOME: this.home, GIT_CONFIG_NOSYSTEM: '1', GIT_TEMPLATE_DIR: join(this.home, 'no-templates') };
  }

  tool(name: string, script: string): void {
    writeFileSync(join(this.home, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  git(cwd: string, ...argv: string[]): string {
    const env = { ...this.gitEnv, PATH: process.env.PATH };
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    return execFileSync('git', [...who, ...argv], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Commits files to the main branch. */
  commit(written: Readonly<Record<string, string>>): this {
    const folder = temporaryFolder();
    this.git(folder, 'clone', '--quiet', this.origin, '.');
    this.git(folder, 'switch', '--quiet', '-C', 'main');
    for (const [file, text] of Object.entries(written)) {
      writeFileSync(join(folder, file), text.replace('registry.test', registry));
    }
    this.git(folder, 'add', '.');
    this.git(folder, 'commit', '--quiet', '--message', 'x');
    this.git(folder, 'push', '--quiet', 'origin', 'main');
    return this;
  }

  /** One night: the job in a fresh clone. */
  async run(index = mirror) {
    const folder = temporaryFolder();
    this.git(folder, 'clone', '--quiet', this.origin, '.');
    const { script, env } = jobOf(this.name);
    const child = spawn('bash', ['-c', script.replaceAll(' --max-age 7d', '')], {
      cwd: folder,
      env: {
        ...env,
        PATH: `${join(this.home, 'bin')}:${process.env.PATH}`,
        ...this.gitEnv,
        LIGHTSPAN_INDEX: index,
        LIGHTSPAN_CACHE_DIR: this.home,
        BUMP_TOKEN: 'secret',
        CI_SERVER_HOST: 'gitlab.example.com',
        CI_PROJECT_PATH: 'acme/infra',
        CI_DEFAULT_BRANCH: 'main',
      },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const code = await new Promise<number | null>((done) => child.on('close', done));
    const log = join(this.home, 'done');
    const done = existsSync(log) ? textOf(log).trim().split('\n') : [];
    writeFileSync(log, '');
    return { code, output, done: done.filter(Boolean) };
  }

  get forge() {
    return JSON.parse(textOf(join(this.home, 'forge.json')));
  }

  /** What the required check answers to the request. */
  gate(index = mirror): number | null {
    const folder = temporaryFolder();
    this.git(folder, 'clone', '--quiet', '--branch', 'lightdash-upgrade', this.origin, '.');
    const argv = ['pin-check', '--base', 'origin/main', '--pin', 'values.yaml#image.tag', '--index', index];
    const env = { ...this.gitEnv, PATH: process.env.PATH };
    return spawnSync(process.execPath, [resolve('bin/lightspan.cjs'), ...argv], { cwd: folder, env }).status;
  }

  pinOn(branch: string): string {
    return this.git(this.origin, 'show', `${branch}:values.yaml`).replace(registry, 'registry.test');
  }
}

const pin = (tag: string, host = 'registry.test') => ({
  'values.yaml': `image:\n  registry: ${host}\n  repository: lightdash/lightdash\n  tag: ${tag}\n`,
});
const hold = 'Lightdash upgrade: HOLD';
const held = 'HOLD: Upgrade Lightdash to 2.134.2';

describe.each(['GitHub', 'GitLab'] as const)('the loop on %s', { timeout: 180_000 }, (name) => {
  const day = (offset: number) => new Date(Date.now() + offset * 24 * 3600 * 1000).toISOString().slice(0, 10);
  /** Again, where midnight has come meanwhile. */
  const withinOneDay = async <T>(work: () => Promise<T>): Promise<T> => {
    const today = day(0);
    const outcome = await work();
    return day(0) === today ? outcome : withinOneDay(work);
  };

  it('opens one request, and keeps it', async () => {
    const project = new Project(name).commit(pin('1.121.0'));
    const first = await project.run();
    expect(first, first.output).toMatchObject({
      code: 0,
      done: ['create request Upgrade Lightdash to 1.156.0'],
    });
    expect(project.pinOn('lightdash-upgrade')).toBe(pin('1.156.0')['values.yaml']);
    expect(project.pinOn('main')).toBe(pin('1.121.0')['values.yaml']);
    expect(project.forge.request[0].body).toContain('1.156.0');
    const before = project.git(project.origin, 'rev-parse', 'lightdash-upgrade');
    const second = await project.run();
    expect(second, second.output).toMatchObject({ code: 0 });
    expect(second.done).toEqual([expect.stringMatching(/^(edit|update) request 1$/)]);
    // Approvals stay: what is proposed is the same commit.
    expect(project.git(project.origin, 'rev-parse', 'lightdash-upgrade')).toBe(before);
  });

  it('leaves alone what a fork proposes from a branch of the same name', async () => {
    const project = new Project(name).commit(pin('1.121.0'));
    const request = [{ number: 1, open: true, title: 'x', head: 'lightdash-upgrade', fork: true }];
    writeFileSync(join(project.home, 'forge.json'), JSON.stringify({ request, issue: [] }));
    const first = await project.run();
    expect(first, first.output).toMatchObject({
      code: 0,
      done: ['create request Upgrade Lightdash to 1.156.0'],
    });
    project.commit(pin('1.156.0'));
    expect((await project.run()).done).toEqual(['close request 2', `create request ${held}`]);
  });

  it('moves the request to what is proven now, whatever stands on its branch', async () => {
    const project = new Project(name).commit(pin('1.100.0'));
    project.git(project.origin, 'branch', 'lightdash-upgrade', 'main');
    project.commit(pin('1.121.0'));
    const { code, output } = await project.run();
    expect(code, output).toBe(0);
    expect(project.pinOn('lightdash-upgrade')).toBe(pin('1.156.0')['values.yaml']);
  });

  it('holds a request with the reasons where no hop rolls, and ends the hold in the same one', async () => {
    const project = new Project(name).commit(pin('1.121.0'));
    await project.run();
    project.commit(pin('1.156.0'));
    const first = await project.run();
    // Whoever approved what was proven has not approved this.
    expect(first, first.output).toMatchObject({
      code: 0,
      done: ['close request 1', `create request ${held}`],
    });
    expect(project.forge.request[1]).toMatchObject({ open: true, label: 'upgrade-hold', title: held });
    for (const release of ['1.157.0', '1.197.0', '2.117.0'])
      expect(project.forge.request[1].body).toContain(release);
    expect(project.pinOn('lightdash-upgrade')).toBe(pin('2.134.2')['values.yaml']);
    expect(project.pinOn('main')).toBe(pin('1.156.0')['values.yaml']);
    expect(project.gate()).toBe(1);
    const before = project.git(project.origin, 'rev-parse', 'lightdash-upgrade');
    const second = await project.run();
    expect(second.done).toEqual([expect.stringMatching(/^(edit|update) request 2$/)]);
    expect(project.forge.request[1]).toMatchObject({ label: 'upgrade-hold', title: held });
    expect(project.git(project.origin, 'rev-parse', 'lightdash-upgrade')).toBe(before);
    const green = await project.run(greenMirror);
    expect(green, green.output).toMatchObject({
      code: 0,
      done: [expect.stringMatching(/^(edit|update) request 2$/)],
    });
    const { title, label } = project.forge.request[1];
    expect({ title, label }).toEqual({ title: 'Upgrade Lightdash to 1.196.1', label: undefined });
    expect(project.pinOn('lightdash-upgrade')).toBe(pin('1.196.1')['values.yaml']);
    expect(project.gate(greenMirror)).toBe(0);
  });

  it('holds in one issue where no plan is certified either, closes the request, and ends the hold', async () => {
    const project = new Project(name).commit(pin('1.121.0'));
    await project.run();
    project.commit(pin('1.121.99'));
    const first = await project.run();
    expect(first, first.output).toMatchObject({
      code: 0,
      done: ['close request 1', `create issue ${hold}`],
    });
    expect(project.forge.issue[0].body).toContain('1.121.99');
    expect((await project.run()).done).toEqual([expect.stringMatching(/^(edit|update) issue 1$/)]);
    project.commit(pin('1.121.0'));
    const again = await project.run();
    expect(again, again.output).toMatchObject({ code: 0 });
    expect(again.done).toContain('close issue 1');
    expect(again.done.at(-1)).toBe('create request Upgrade Lightdash to 1.156.0');
  });

  it('leaves a request as it is where the registry lacks the image, and says so in the issue', async () => {
    const empty = await startRegistry({ images: ['lightdash/lightdash:1.156.0'] });
    const project = new Project(name).commit(pin('1.121.0', empty.host));
    expect((await project.run()).done).toEqual(['create request Upgrade Lightdash to 1.156.0']);
    const lacking = await startRegistry({ images: [] });
    for (const tag of ['1.121.0', '1.156.0']) {
      project.commit(pin(tag, lacking.host));
      const outcome = await project.run();
      expect(outcome, outcome.output).toMatchObject({ code: 0 });
      expect(outcome.done).toEqual([expect.stringMatching(/^(create issue .*HOLD|(edit|update) issue 1)$/)]);
      expect(project.forge.issue[0].body).toContain(`the registry has no image ${lacking.host}`);
    }
    expect(project.forge.request).toMatchObject([{ open: true }]);
    const gone = new Project(name).commit(pin('1.121.0', 'localhost:1'));
    expect(await gone.run()).toMatchObject({ code: 3, done: [] });
  });

  it('closes the request once the newest release is pinned', async () => {
    const project = new Project(name).commit(pin('1.121.0'));
    await project.run();
    project.commit(pin('2.134.2'));
    const outcome = await project.run();
    expect(outcome, outcome.output).toMatchObject({ code: 0, done: ['close request 1'] });
  });

  it.each([
    ['today', () => day(0), []],
    ['for a week', () => `${day(7)}\nfreeze of the year\n`, []],
    ['without an end', () => '', []],
    ['by a hostile text', () => '$(touch pwned)', []],
    ['until yesterday', () => day(-1), ['create request Upgrade Lightdash to 1.156.0']],
  ])('is frozen %s', async (_, textOf, done) => {
    const outcome = await withinOneDay(() =>
      new Project(name).commit({ ...pin('1.121.0'), 'lightdash-freeze': textOf() }).run(),
    );
    expect(outcome, outcome.output).toMatchObject({ code: 0, done });
  });

  it.each([
    ['the index cannot be had', pin('1.121.0'), 'no/such/index.json', 3],
    ['the pin is hostile', pin('"1.121.0$(touch pwned)"'), mirror, 2],
    ['the file is gone', { other: 'x' }, mirror, 3],
  ])('fails, and does nothing, where %s', async (_, written, index, code) => {
    const outcome = await new Project(name).commit(written).run(index);
    expect(outcome, outcome.output).toMatchObject({ code, done: [] });
  });

  it('proposes nothing as proven where the artifacts contradict the index, and fails without the tool', async () => {
    const disputed = new Project(name).commit(pin('1.121.0'));
    const contradiction = temporaryFolder();
    await writeReportMirror(contradiction, contradicting);
    expect(await disputed.run(contradiction)).toMatchObject({ code: 0, done: [`create request ${held}`] });
    expect(disputed.forge.request).toMatchObject([{ label: 'upgrade-hold' }]);
    const missing = new Project(name).commit(pin('1.121.0'));
    missing.tool('lightspan', 'exit 127');
    expect(await missing.run()).toMatchObject({ code: 127, done: [] });
    // Node ends so where something keeps it from starting lightspan.
    missing.tool('lightspan', 'exit 1');
    expect(await missing.run()).toMatchObject({ code: 3, done: [] });
  });
});
