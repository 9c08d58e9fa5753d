import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

/** What a server shows: its certificate, and the key that belongs to it. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of one test, as a company has one of its own: nothing trusts it until it is told to. */
export interface PrivateAuthority {
  /** Its certificate, as `NODE_EXTRA_CA_CERTS` takes it, and what is in that file. */
  readonly file: string;
  readonly cert: string;
  /** A certificate for names such as `DNS:example.org` or `IP:127.0.0.1`; a negative number of days has expired. */
  readonly issue: (names: readonly string[], days?: number) => Identity;
  /** An authority that this one vouches for. */
  readonly delegate: () => PrivateAuthority;
}

export function privateAuthority(): PrivateAuthority {
  const folder = folderWithKey(['DNS:unused']);
  openssl(folder, 'req -x509 -key key.pem -subj /CN=Root -config config -extensions authority -out cert.pem');
  return authorityIn(folder);
}

function authorityIn(folder: string): PrivateAuthority {
  const sign = (names: readonly string[], extensions: string, days: number) => {
    const below = folderWithKey(names);
    openssl(below, `req -new -key key.pem -subj /CN=${extensions} -config config -out request.pem`);
    const above = relative(below, folder);
    openssl(
      below,
      `x509 -req -in request.pem -CA ${above}/cert.pem -CAkey ${above}/key.pem -days ${days} -out cert.pem ` +
        `-set_serial 0x01${randomBytes(8).toString('hex')} -extfile config -extensions ${extensions}`,
    );
    return below;
  };
  return {
    file: join(folder, 'cert.pem'),
    cert: read(folder, 'cert.pem'),
    issue: (names, days = 2) => {
      const below = sign(names, 'server', days);
      return { cert: read(below, 'cert.pem'), key: read(below, 'key.pem') };
    },
    delegate: () => authorityIn(sign(['DNS:unused'], 'authority', 2)),
  };
}

/** A folder with a key, and what openssl is to write into certificates. */
function folderWithKey(names: readonly string[]): string {
  const folder = temporaryFolder();
  openssl(folder, 'genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem');
  writeFileSync(
    join(folder, 'config'),
    `[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
[server]
subjectAltName = ${names.join(', ')}
`,
  );
  return folder;
}

function openssl(cwd: string, args: string): void {
  execFileSync('openssl', args.split(' '), { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}
