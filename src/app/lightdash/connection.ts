import { renderLines } from '../../answer/outputs/messages.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { compact } from '../../core/text/compact.js';
import type { CommandContext } from '../../door/context.js';
import {
  type AuthScheme,
  authSchemes,
  maskToken,
  parseBaseUrl,
  requireUuid,
  schemeOfToken,
} from '../../gather/api/base-url.js';
import type { ConnectionQuestion } from '../../question/connection.js';
import { readStoredContext, type StoredContext } from './stored-context.js';

interface FoundSetting {
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
  question: ConnectionQuestion,
  needs: { readonly project: boolean; readonly token: boolean },
  { env, stderr }: Pick<CommandContext, 'env' | 'stderr'>,
) {
  const byFlag: Readonly<Record<string, string | undefined>> = {
    '--url': question.url,
    '--project': question.project,
  };
  // All of them are named at once: a user who has to set one would meet the next only afterwards.
  const others = (['project', 'apiKey'] as const)
    .filter((key) => (key === 'project' ? needs.project : needs.token))
    .map((key) => settings[key].set)
    .filter((names) => names.every((name) => !(byFlag[name] ?? env[name])?.trim()));
  let stored: Promise<StoredContext | undefined> | undefined;
  /** @param server which a value of the file must belong to */
  const find = async (key: keyof typeof settings, server?: string): Promise<FoundSetting> => {
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
            `Set ${[set, ...(key === 'serverUrl' ? others : [])].map((names) => names.join(' or ')).join(', and ')}${as}, or log in with the Lightdash CLI (context.${key} of ` +
            '~/.config/lightdash/config.yaml).',
        });
  };

  const foundUrl = await find('serverUrl');
  const url = named(foundUrl.where, () =>
    parseBaseUrl(foundUrl.value, { allowHttp: question.network.allowHttp }),
  );
  const project = needs.project ? await find('project', url.origin) : undefined;
  if (project !== undefined) named(project.where, () => requireUuid(project.value, 'project'));
  const ofQuestion = authSchemes.find((scheme) => scheme.toLowerCase() === question.auth);
  const stated = ofQuestion ?? readScheme(env.LIGHTDASH_AUTH_SCHEME);
  const token = needs.token ? await find('apiKey', url.origin) : undefined;
  const scheme = stated ?? schemeOfToken(token?.value ?? '');
  if (token !== undefined) requireBare(token, scheme);

  if (question.verbose) {
    const line = (name: string, found: FoundSetting | undefined) =>
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
function requireBare({ value, where }: FoundSetting, scheme: AuthScheme): void {
  const [, written] = /^(apikey|bearer)\s/i.exec(value) ?? [];
  if (written === undefined) return;
  const otherScheme = authSchemes.find((candidate) => candidate !== scheme);
  throw new LightspanError('usage', `${where}: "${written}" stands before the token`, {
    hint:
      `It is sent as "${scheme} <token>". Set only the token, and LIGHTDASH_AUTH_SCHEME=${otherScheme} or --auth ` +
      `${otherScheme?.toLowerCase()} if it must be sent that way.`,
  });
}

export async function connect(
  question: ConnectionQuestion,
  needs: { readonly project: boolean },
  context: Pick<CommandContext, 'env' | 'stderr'>,
) {
  const { token = '', ...found } = await resolveConnection(question, { ...needs, token: true }, context);
  const { createClient } = await import('../../gather/api/client.js');
  return createClient({
    ...found,
    token,
    proxyAuthorization: context.env.LIGHTDASH_PROXY_AUTHORIZATION || undefined,
    ...question.network,
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
