import { type Command, Option } from 'commander';
import { once, readDuration, readText } from './shared-options.js';
import type { ExitCodeMeanings } from './usage.js';

/** Options of the commands that send requests to a Lightdash instance. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly project?: string | undefined;
  readonly allowHttp?: true | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly json?: true;
  readonly verbose?: true;
}

export function addConnectionOptions(command: Command, { project }: { readonly project: boolean }): Command {
  command.option('--url <base>', 'address of the Lightdash instance (env LIGHTDASH_URL)', once(readText));
  if (project) {
    command.option('--project <uuid>', 'the project (env LIGHTDASH_PROJECT)', once(readText));
  }
  return command
    .option('--allow-http', 'allow plain http beyond this machine')
    .addOption(
      new Option('--timeout <duration>', 'longest wait for one request, such as 30, 30s or 10m')
        .argParser(once(readDuration))
        .default(30_000, '30s'),
    )
    .option('--json', 'write one line of JSON to standard output')
    .option('--verbose', 'say on standard error which instance, project and token are used');
}

/** The help on the settings, shown after the flags by every command with these options. */
export const connectionNotes = `Settings:
  LIGHTDASH_API_KEY              personal access token (no flag: process lists show flags)
  LIGHTDASH_AUTH_SCHEME          Bearer, for a token that is not sent as ApiKey
  LIGHTDASH_PROXY_AUTHORIZATION  sent as Proxy-Authorization
  What is not set is taken from the login of the Lightdash CLI (~/.config/lightdash/config.yaml); its token and project
  are used for its own server alone.`;

/** The exit codes of a command that requests something from an instance and shows the answer. */
export const connectionExitCodes: ExitCodeMeanings = {
  0: 'the instance has answered, and the answer is shown',
  1: 'the instance refused the request, and said what is wrong (HTTP 400, 404, 409 or 422)',
  2: 'the request is wrong; nothing was sent',
  3: 'no answer is available: network, timeout, login, or an error of the server',
  4: 'an answer does not match the contract',
};
