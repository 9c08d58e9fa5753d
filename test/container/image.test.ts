import { execFile, execFileSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realIndexFile, realIndexText } from '../support/real-index.js';
import { selfSigned } from '../support/self-signed.js';
import { serve, serveTls } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The image as the Dockerfile makes it, with a real builder; its files are run with nothing else around them. */
let storage: string;
let root: string;

const buildah = (...args: readonly string[]) =>
  execFileSync(
    'buildah',
    ['--root', join(storage, 'root'), '--runroot', join(storage, 'run'), '--storage-driver', 'vfs', ...args],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  ).trim();

beforeAll(() => {
  storage = temporaryFolder();
  execFileSync(process.execPath, ['scripts/container-root.js'], { stdio: ['ignore', 'ignore', 'inherit'] });
  buildah('bud', '--isolation', 'chroot', '--build-arg', 'VERSION=1.2.3', '--tag', 'lightspan', '.');
  root = buildah('mount', buildah('from', 'lightspan'));
  copyFileSync(realIndexFile, join(root, 'work', 'index.json'));
  mkdirSync(join(root, 'proc'));
});

afterAll(() => {
  buildah('rm', '--all');
  buildah('rmi', '--all');
});

/**
 * Runs the entry point as the user of the image, on a root file system that is read-only, below a mount of its own, and
 * with /proc, as every container runtime mounts it: the executable finds the program inside itself by it.
 */
function runInImage(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  /** A folder to mount at /cache. */
  cache = '',
): Promise<{ code: number; stdout: string; stderr: string }> {
  const inside =
    'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount --rbind /proc "$0/proc" && { [ -z "$CACHE" ] || mount --bind "$CACHE" "$0/cache"; } && cd "$0" && exec chroot --userspec=65532:65532 "$0" /usr/local/bin/lightspan "$@"';
  return new Promise((done) => {
    execFile(
      'unshare',
      ['--mount', 'sh', '-c', inside, root, ...argv],
      { env: { PATH: process.env.PATH, CACHE: cache, ...imageEnv(), ...env } },
      (error, stdout, stderr) => done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const config = () => JSON.parse(buildah('inspect', '--type', 'image', 'lightspan')).OCIv1.config;
const imageEnv = () =>
  Object.fromEntries(
    (config().Env as string[]).filter((line) => !line.startsWith('PATH=')).map((line) => line.split('=')),
  );

describe('the image', () => {
  it('starts lightspan, as a user without rights, and says what it is', () => {
    expect(config()).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['/usr/local/bin/lightspan'],
      Labels: {
        'org.opencontainers.image.title': 'lightspan',
        'org.opencontainers.image.version': '1.2.3',
        'org.opencontainers.image.licenses': 'MIT',
      },
    });
  });

  it('holds no shell and no other program', () => {
    const programs = execFileSync('find', [root, '-type', 'f', '-perm', '/111', '-not', '-name', '*.so*'], {
      encoding: 'utf8',
    });
    expect(programs.trim()).toBe(join(root, 'usr/local/bin/lightspan'));
    expect(existsSync(join(root, 'bin', 'sh'))).toBe(false);
  });

  it('has the licences of what is in it', () => {
    const licences = readFileSync(join(root, 'usr/share/doc/lightspan/THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(licences).toContain('commander');
    expect(existsSync(join(root, 'usr/share/doc/libc6/copyright'))).toBe(true);
  });

  it('has a cache folder that is of its user alone', () => {
    const { uid, gid, mode } = statSync(join(root, 'cache'));
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 65532, gid: 65532, mode: 0o700 });
  });

  it('is smaller than 130 MB', () => {
    const megabytes = Number(execFileSync('du', ['-sm', root], { encoding: 'utf8' }).split('\t')[0]);
    process.stdout.write(`the image: ${megabytes} MB\n`);
    expect(megabytes).toBeLessThan(130);
  });
});

describe('lightspan in the image', () => {
  it.each([
    [['1.121.0', '1.156.0'], 0, 'Verdict: SAFE'],
    [['1.111.0', '1.115.0'], 1, 'Verdict: UNSAFE'],
    [['2.125.0', '2.127.0'], 1, 'ai-prompt-table-in-core-migration'],
    [['1.x', '1.115.0'], 2, ''],
  ])('%j on a read-only root file system ends with %i', async ([from = '', to = ''], code, output) => {
    const argv = ['upgrade-check', '--from', from, '--to', to, '--index', '/work/index.json'];
    expect(await runInImage(argv)).toMatchObject({ code, stdout: expect.stringContaining(output) });
  });

  it('can write nowhere but to its cache', async () => {
    const argv = ['upgrade-report', '--from', '1.121.0', '--to', '1.122.0', '--index', '/work/index.json'];
    expect(await runInImage([...argv, '--format', 'html', '--out', '/work/report.html'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('read-only'),
    });
  });

  it('keeps what it fetched in a cache that is mounted', async () => {
    const { url } = await serve((_, response) => response.end(realIndexText));
    const index = `${url}/index.json`;
    const argv = ['upgrade-check', '--from', '1.121.0', '--to', '1.156.0', '--index', index];
    const volume = temporaryFolder();
    chownSync(volume, 65532, 65532);
    expect(await runInImage(argv, {}, volume)).toMatchObject({ code: 0 });
    expect(await runInImage([...argv, '--offline'], {}, volume)).toMatchObject({ code: 0 });
    expect(await runInImage([...argv, '--offline'])).toMatchObject({ code: 3 });
  });

  it('fetches over HTTPS what the certificates of the image vouch for, and nothing else', async () => {
    const { url } = await serveTls((_, response) => response.end(realIndexText));
    const argv = ['upgrade-check', '--from', '1.121.0', '--to', '1.156.0', '--index', `${url}/index.json`];
    expect(await runInImage(argv)).toMatchObject({ code: 3, stdout: '' });
    mkdirSync(join(root, 'own'), { recursive: true });
    writeFileSync(join(root, 'own', 'ca.pem'), selfSigned.cert);
    const trusting = await runInImage(argv, { NODE_EXTRA_CA_CERTS: '/own/ca.pem' });
    expect(trusting).toMatchObject({ code: 0, stdout: expect.stringContaining('Verdict: SAFE') });
  });
});
