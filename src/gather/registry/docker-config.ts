import { join } from 'node:path';
import type { Env } from '../../core/common/env.js';
import { isRecord } from '../../core/json/is-record.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { describeFileFault, hasErrorCode, readFileAtMost } from '../files/read-file.js';
import { mostBytes } from '../limits.js';

/** How docker is logged in to a registry. */
export interface RegistryLogin {
  /** `user:password`; undefined if the configuration has none. */
  readonly login: string | undefined;
  /** Whether a credential helper may have one. It is a program, and none is run. */
  readonly isWithHelper: boolean;
}

const maxBytes = mostBytes.small;

/**
 * The login of docker for a registry: from DOCKER_AUTH_CONFIG, else config.json of DOCKER_CONFIG or `~/.docker`. It is
 * a secret: no message quotes what is read.
 */
export async function readRegistryLogin(hosts: readonly string[], env: Env): Promise<RegistryLogin> {
  const { name, text } = await readConfig(env);
  const config = parseConfig(name, text);
  const entries = Object.entries(isRecord(config.auths) ? config.auths : {});
  const [, entry] = entries.find(([key]) => hosts.includes(hostOf(key))) ?? [];
  const helpers = Object.keys(isRecord(config.credHelpers) ? config.credHelpers : {});
  const isWithHelper =
    typeof config.credsStore === 'string' || helpers.some((key) => hosts.includes(hostOf(key)));
  return { login: loginOf(entry), isWithHelper };
}

async function readConfig(env: Env): Promise<{ readonly name: string; readonly text: string }> {
  const inline = env.DOCKER_AUTH_CONFIG;
  if (inline) return { name: 'DOCKER_AUTH_CONFIG', text: inline };
  const home = env.HOME || env.USERPROFILE;
  const folder = env.DOCKER_CONFIG || (home && join(home, '.docker'));
  if (!folder) return { name: '', text: '{}' };
  const name = join(folder, 'config.json');
  try {
    const bytes = await readFileAtMost(
      name,
      maxBytes,
      () => new Error(`it is larger than ${maxBytes} bytes`),
    );
    return { name, text: Buffer.from(bytes).toString('utf8') };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return { name, text: '{}' };
    throw unreadable(name, describeFileFault(error));
  }
}

function parseConfig(name: string, text: string): Record<string, unknown> {
  try {
    const config: unknown = JSON.parse(text);
    if (isRecord(config)) return config;
  } catch {
    // The parser's error quotes the text.
  }
  throw unreadable(name, 'it is not a JSON object');
}

function unreadable(name: string, what: string): LightspanError {
  return new LightspanError('unreadable-source', `the configuration of docker, ${name}: ${what}`, {
    hint: 'Repair it, or name another folder with DOCKER_CONFIG.',
  });
}

/** A key is a host, or an address from which docker takes the host. */
function hostOf(key: string): string {
  return key.replace(/^https?:\/\//, '').replace(/\/.*$/s, '');
}

function loginOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  const { auth, username, password } = entry;
  if (typeof auth === 'string' && auth !== '') {
    const login = Buffer.from(auth, 'base64').toString('utf8').replace(/\0+$/, '');
    return login.includes(':') ? login : undefined;
  }
  return typeof username === 'string' && typeof password === 'string' ? `${username}:${password}` : undefined;
}
