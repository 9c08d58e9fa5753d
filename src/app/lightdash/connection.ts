import { renderLines } from '../../answer/outputs/messages.js';
import {
  type AuthScheme,
  authSchemes,
  maskToken,
  parseBaseUrl,
  requireUuid,
  schemeOfToken,
} from '../../api/base-url.js';
import { type CommandContext, packageVersion } from '../../cli/context.js';
import type { OptionsOf, OptionTable } from '../../cli/declare.js';
import type { ExitCodeMeanings } from '../../cli/help.js';
import { allowHttp, json } from '../../cli/options.js';
import { readDuration, readText } from '../../cli/readers.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { compact } from '../../core/text/compact.js';
import { readStoredContext, type StoredContext } from './stored-context.js';

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
    description: 'longest wait for one request, such as 30, 30s or 10m',
    read: readDuration,
    default: 30_000,
    defaultText: '30s',
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

export type ConnectionOptions = OptionsOf<typeof connection> & Partial<OptionsOf<typeof projectConnection>>;

export const connectionNotes = `Settings:
  LIGHTDASH_API_KEY              personal access token, or token of a service account (no flag: process lists show flags)
  LIGHTDASH_AUTH_SCHEME          ApiKey or Bearer, as --auth
  LIGHTDASH_PROXY_AUTHORIZATION  sent as Proxy-Authorization
  What is not set is taken from the login of the Lightdash CLI (~/.config/lightdash/config.yaml); its token and project are used for its own server alone.`;

export const connectionExitCodes: ExitCodeMeanings = {
  0: 'the instance answered; the answer is shown',
  1: 'the instance refused the request and said what is wrong (HTTP 400, 404, 409 or 422)',
  2: 'the request is wrong; nothing was sent',
  3: 'no answer is available: network, timeout, login, or an error of the server',
  4: 'an answer does not match the contract',
};

interface Found {
  readonly value: string;
  readonly where: string;
}

const settings = {
  serverUrl: { what: 'the address of the Lightdash instance', as: '', set: ['--url', 'LIGHTDASH_URL'] },
  project: { what: 'the project', as: ' to its UUID', set: ['--project', 'LIGHTDASH_PROJECT'] },
  apiKey: { what: 'the token', as: ' to a personal access token', set: ['LIGHTDASH_API_KEY'] },
} as const;

/**
 * The connection from flags, environment and the Lightdash CLI's own config file, in this order. With `--verbose`, the
 * source of each value goes to stderr, the token shortened to its last 4 characters.
 *
 * What the file contains belongs to the server it names: its token and project are never used for another.
 *
 * @returns `project` and `token` are undefined if the command needs none
 * @throws {LightspanError} `usage` for what is missing or malformed, saying where to set it
 */
export async function resolveConnection(
  options: ConnectionOptions,
  needs: { readonly project: boolean; readonly token: boolean },
  { env, stderr }: Pick<CommandContext, 'env' | 'stderr'>,
) {
  const byFlag: Readonly<Record<string, string | undefined>> = {
    '--url': options.url,
    '--project': options.project,
  };
  let stored: Promise<StoredContext | undefined> | undefined;
  /** @param server which a value of the file must belong to */
  const find = async (key: keyof typeof settings, server?: string): Promise<Found> => {
    const { what, as, set } = settings[key];
    for (const where of set) {
      const value = (byFlag[where] ?? env[where])?.trim();
      if (value) return { value, where };
    }
    stored ??= readStoredContext(env);
    const { file: where = '', origin, [key]: text } = (await stored) ?? {};
    const value = text?.trim();
    if (value && (server === undefined || server === origin)) return { value, where };
    throw value
      ? new LightspanError(
          'usage',
          `${what} in ${where} belongs to ${origin ?? 'an unnamed server'} and is not sent to ${server}`,
          { hint: `Set ${set.join(' or ')} for that server.` },
        )
      : new LightspanError('usage', `${what} is not set`, {
          hint:
            `Set ${set.join(' or ')}${as}, or log in with the Lightdash CLI (context.${key} of ` +
            '~/.config/lightdash/config.yaml).',
        });
  };

  const foundUrl = await find('serverUrl');
  const url = named(foundUrl.where, () =>
    parseBaseUrl(foundUrl.value, { allowHttp: options.allowHttp === true }),
  );
  const project = needs.project ? await find('project', url.origin) : undefined;
  if (project !== undefined) named(project.where, () => requireUuid(project.value, 'project'));
  const given = authSchemes.find((scheme) => scheme.toLowerCase() === options.auth);
  const stated = given ?? readScheme(env.LIGHTDASH_AUTH_SCHEME);
  const token = needs.token ? await find('apiKey', url.origin) : undefined;
  const scheme = stated ?? schemeOfToken(token?.value ?? '');
  if (token !== undefined) requireBare(token, scheme);

  if (options.verbose === true) {
    const line = (name: string, found: Found | undefined) =>
      found && `${name}: ${found.value} (from ${found.where})`;
    const lines = compact(
      line('Instance', { value: url.origin, where: foundUrl.where }),
      line('Project', project),
      line('Token', token && { value: maskToken(token.value), where: token.where }),
    );
    stderr.write(renderLines(lines));
  }
  return { url, project: project?.value, token: token?.value, scheme };
}

/** @returns undefined if it is not set */
function readScheme(text = ''): AuthScheme | undefined {
  const scheme = authSchemes.find((scheme) => scheme === text);
  if (scheme !== undefined || text === '') return scheme;
  throw new LightspanError(
    'usage',
    `LIGHTDASH_AUTH_SCHEME is ${JSON.stringify(text)}, but must be ${authSchemes.join(' or ')}`,
  );
}

/** Refuses a token with a scheme that was copied with it. */
function requireBare({ value, where }: Found, scheme: AuthScheme): void {
  const [, written] = /^(apikey|bearer)\s/i.exec(value) ?? [];
  if (written === undefined) return;
  const other = authSchemes.find((other) => other !== scheme);
  throw new LightspanError('usage', `${where}: "${written}" stands before the token`, {
    hint:
      `It is sent as "${scheme} <token>". Set only the token, and LIGHTDASH_AUTH_SCHEME=${other} or --auth ` +
      `${other?.toLowerCase()} if it must be sent that way.`,
  });
}

export async function connect(
  options: ConnectionOptions,
  needs: { readonly project: boolean },
  context: Pick<CommandContext, 'env' | 'stderr'>,
) {
  const { token = '', ...found } = await resolveConnection(options, { ...needs, token: true }, context);
  const { createClient } = await import('../../api/client.js');
  return createClient({
    ...found,
    token,
    proxyAuthorization: context.env.LIGHTDASH_PROXY_AUTHORIZATION || undefined,
    allowHttp: options.allowHttp === true,
    timeoutMs: options.timeout,
    userAgent: `lightspan/${packageVersion}`,
    env: context.env,
  });
}

function named<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    const { code, message, hint } = error;
    throw new LightspanError(code, `${where}: ${message}`, { hint });
  }
}
