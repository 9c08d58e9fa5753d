import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawnCli } from './support/cli.js';
import { nodeUnderTest } from './support/node-under-test.js';
import { type Identity, privateAuthority } from './support/private-authority.js';
import { realIndexText } from './support/real-index.js';
import { selfSigned } from './support/self-signed.js';
import { listen } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

const root = privateAuthority();
const delegate = root.delegate();
const ofDelegate = delegate.issue(['IP:127.0.0.1']);
const ofRoot = root.issue(['IP:127.0.0.1']);

const version = execFileSync(nodeUnderTest, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
const [major = 0, minor = 0] = version.split('.').map(Number);
/** From 22.19 and from 24.6 on, and no 23. */
const readsSystem = major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19);

const check = (env: Record<string, string>, ...options: string[]) =>
  spawnCli(['upgrade-check', '--from', '1.121.0', '--to', '1.156.0', ...options], { env });

/** A server of the real index on loopback, behind TLS. */
async function serveIndex(identity: Identity): Promise<string> {
  const server = createTlsServer(identity, (_, response) => response.end(realIndexText));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${await listen(server)}/index.json`;
}

/** Ends TLS itself, as a proxy does that looks into it: whatever is asked for gets a certificate of ours, and the index. */
async function serveInterceptingProxy(host: string) {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const inside = createTlsServer(root.issue([`DNS:${host}`]), (request, response) => {
    asked.push(`${request.method} https://${request.headers.host}${request.url}`);
    response.end(realIndexText);
  });
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    authorizations.push(request.headers['proxy-authorization']);
    socket.on('error', () => {});
    onTestFinished(() => {
      socket.destroy();
    });
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    inside.emit('connection', socket);
  });
  onTestFinished(() => {
    proxy.close();
  });
  return { port: await listen(proxy), asked, authorizations };
}

const safe = { code: 0, stdout: expect.stringContaining('Verdict: SAFE\n') };

describe('a certificate of an authority that is not trusted', () => {
  it.each([
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ofRoot],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', { ...ofDelegate, cert: ofDelegate.cert + delegate.cert }],
    ['SELF_SIGNED_CERT_IN_CHAIN', { ...ofRoot, cert: ofRoot.cert + root.cert }],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', selfSigned],
  ])('is no answer, and the message names the ways to trust it: %s', async (code, identity) => {
    const outcome = await check({}, '--index', await serveIndex(identity));
    expect(outcome).toMatchObject({ code: 3, stdout: '' });
    const said = `the certificate is not trusted here: [^;]+ \\(${code}\\), after \\S+ s and 1 try`;
    expect(outcome.stderr).toMatch(new RegExp(`^lightspan: GET https://\\S+: ${said}\\n`));
    expect(outcome.stderr).toContain('NODE_EXTRA_CA_CERTS=<file.pem>');
    expect(outcome.stderr).toContain('NODE_USE_SYSTEM_CA=1');
    expect(outcome.stderr).not.toMatch(/NODE_TLS_REJECT_UNAUTHORIZED|--use-system-ca/);
  });

  const ofServer = join(temporaryFolder(), 'server.pem');
  writeFileSync(ofServer, ofRoot.cert);
  const chained = { ...ofDelegate, cert: ofDelegate.cert + delegate.cert };
  const none = {
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('the certificate is not trusted here'),
  };
  it.each([
    ['the authority', root.file, ofRoot, safe],
    ['the authority above the one that signed', root.file, chained, safe],
    ['a file that is not there', '/not/there.pem', ofRoot, none],
    ['the certificate of the server alone', ofServer, ofRoot, none],
    ['an authority of somebody else', privateAuthority().file, ofRoot, none],
  ])('is judged by what NODE_EXTRA_CA_CERTS names: %s', async (_, file, identity, expected) => {
    const source = await serveIndex(identity);
    expect(await check({ NODE_EXTRA_CA_CERTS: file }, '--index', source)).toMatchObject(expected);
  });

  // Elsewhere the system keeps them where no test may write.
  it.runIf(process.platform === 'linux')(
    'is an answer where NODE_USE_SYSTEM_CA=1 has Node trust what the machine trusts, on a Node that reads it',
    async () => {
      const env = { NODE_USE_SYSTEM_CA: '1', SSL_CERT_FILE: root.file };
      const source = await serveIndex(ofRoot);
      expect(await check(env, '--index', source)).toMatchObject(readsSystem ? safe : { code: 3, stdout: '' });
    },
  );
});

describe('a certificate that no authority mends', () => {
  it.each([
    ['has expired', 'CERT_HAS_EXPIRED', root.issue(['IP:127.0.0.1'], -1), /Check the clock/],
    ['is for another name', 'ERR_TLS_CERT_ALTNAME_INVALID', root.issue(['DNS:example.org']), /use a name/],
  ])('%s: the message does not send for one', async (_, code, identity, hint) => {
    const source = await serveIndex(identity);
    const { stderr, ...outcome } = await check({ NODE_EXTRA_CA_CERTS: root.file }, '--index', source);
    expect(outcome).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(new RegExp(`\\(${code}\\), after .* 1 try\\n`));
    expect(stderr).toMatch(hint);
    expect(stderr).not.toMatch(/CA_CERTS|SYSTEM_CA|NODE_TLS/);
  });
});

describe('a proxy that looks into TLS', () => {
  const host = 'raw.githubusercontent.com';

  it('answers for the public index once its authority is trusted, and not before', async () => {
    const { port, asked, authorizations } = await serveInterceptingProxy(host);
    const HTTPS_PROXY = `http://us%40er:pa%3Ass@127.0.0.1:${port}`;

    const untrusting = await check({ HTTPS_PROXY }, '--no-cache');
    expect(untrusting).toMatchObject({ code: 3, stdout: '' });
    expect(untrusting.stderr).toMatch(/certificate is not trusted here.*\n.*NODE_EXTRA_CA_CERTS/);
    expect(asked).toEqual([`CONNECT ${host}:443`]);

    const trusting = await check({ HTTPS_PROXY, NODE_EXTRA_CA_CERTS: root.file }, '--no-cache', '--verbose');
    expect(trusting).toMatchObject(safe);
    expect(asked.slice(1)).toEqual([
      `CONNECT ${host}:443`,
      expect.stringMatching(new RegExp(`^GET https://${host}/.+/release-safety-index\\.json$`)),
    ]);
    expect(authorizations).toEqual([1, 2].map(() => `Basic ${btoa('us@er:pa:ss')}`));
    for (const { stdout, stderr } of [untrusting, trusting])
      expect(stdout + stderr).not.toMatch(/pa(:|%3A)ss/);
  });

  it.runIf(process.platform === 'linux')('is trusted with what the machine trusts', async () => {
    const { port } = await serveInterceptingProxy(host);
    const env = { NODE_USE_SYSTEM_CA: '1', SSL_CERT_FILE: root.file };
    const outcome = await check({ ...env, HTTPS_PROXY: `127.0.0.1:${port}` }, '--no-cache');
    expect(outcome).toMatchObject(readsSystem ? safe : { code: 3, stdout: '' });
  });
});
