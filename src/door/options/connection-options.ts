import { usualTimeout, usualTimeoutMs } from '../../gather/limits.js';
import type { ConnectionQuestion } from '../../question/connection.js';
import type { OptionsOf, OptionTable } from '../declare.js';
import { endings } from '../exit-codes.js';
import type { ExitCodeMeanings } from '../help.js';
import { readDuration, readText } from '../readers.js';
import { allowHttp, json, longestWait } from './options.js';

/** Where requests to a Lightdash instance go; `projectConnection` for what concerns one project. */
const url = {
  url: {
    flags: '--url <base>',
    group: 'network',
    description: 'address of the Lightdash instance (env LIGHTDASH_URL)',
    read: readText,
  },
} as const satisfies OptionTable;

export const auth = {
  auth: {
    flags: '--auth <scheme>',
    group: 'network',
    rare: true,
    description: 'how the token is sent (default: by its kind, bearer for that of a service account)',
    choices: ['apikey', 'bearer'],
  },
} as const satisfies OptionTable;

const manner = {
  ...auth,
  ...allowHttp,
  timeout: {
    flags: '--timeout <duration>',
    group: 'network',
    rare: true,
    description: longestWait('one request'),
    read: readDuration,
    default: usualTimeoutMs,
    defaultText: usualTimeout,
  },
  ...json,
  verbose: {
    flags: '--verbose',
    group: 'output',
    brief: 'say which instance, project and token are used',
    description: 'say on standard error which instance, project and token are used',
  },
} as const satisfies OptionTable;

export const connection = { ...url, ...manner };

export const projectConnection = {
  ...url,
  project: {
    flags: '--project <uuid>',
    group: 'network',
    description: 'the project (env LIGHTDASH_PROJECT)',
    read: readText,
  },
  ...manner,
} as const satisfies OptionTable;

type ConnectionOptions = OptionsOf<typeof connection> & Partial<OptionsOf<typeof projectConnection>>;

export function connectionOf(options: ConnectionOptions): ConnectionQuestion {
  const { url, project, auth, timeout: timeoutMs, allowHttp, verbose } = options;
  const network = { timeoutMs, allowHttp: allowHttp === true };
  return { url, project, auth, network, verbose: verbose === true };
}

export const connectionNotes = `Settings:
  LIGHTDASH_API_KEY              personal access token, or token of a service account (no flag: process lists show flags)
  LIGHTDASH_AUTH_SCHEME          ApiKey or Bearer, as --auth
  LIGHTDASH_PROXY_AUTHORIZATION  sent as Proxy-Authorization
  What is not set is taken from the login of the Lightdash CLI (~/.config/lightdash/config.yaml); its token and project are used only for its own server.`;

export const connectionExitCodes: ExitCodeMeanings = {
  0: 'the instance answered; the answer is shown',
  1: 'the instance refused the request and said what is wrong (HTTP 400, 404, 409 or 422)',
  2: endings.nothingSent,
  3: 'no answer is available: network, timeout, login, or an error of the server',
  4: endings.notTheContract,
};
