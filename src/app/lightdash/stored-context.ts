import { isRecord } from '../../core/json/is-record.js';
import { LightspanError } from '../../core/lightspan-error.js';
import type { CommandContext } from '../../door/context.js';
import { describeFileFault, hasErrorCode, readFileAtMost } from '../../gather/files/read-file.js';
import { mostBytes } from '../../gather/limits.js';

export interface StoredContext {
  readonly file: string;
  readonly serverUrl: string | undefined;
  readonly origin: string | undefined;
  readonly project: string | undefined;
  readonly apiKey: string | undefined;
}

/** The `context` of the Lightdash CLI's config file, if there is one. It has a token in it: no message quotes it. */
export async function readStoredContext(env: CommandContext['env']): Promise<StoredContext | undefined> {
  const home = env.HOME || env.USERPROFILE;
  if (!home) return undefined;
  const { join } = await import('node:path');
  // The Lightdash CLI uses no other path: XDG_CONFIG_HOME does not move its file.
  const file = join(home, '.config', 'lightdash', 'config.yaml');
  const unreadable = (what: string) =>
    new LightspanError('unreadable-source', `the config of the Lightdash CLI, ${file}: ${what}`, {
      hint: 'Repair it, or set --url, --project and LIGHTDASH_API_KEY: then it is not read.',
    });
  const read = async () => {
    try {
      const bytes = await readFileAtMost(
        file,
        maxBytes,
        () => new Error(`it is larger than ${maxBytes} bytes`),
      );
      return Buffer.from(bytes).toString('utf8');
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return undefined;
      throw unreadable(describeFileFault(error));
    }
  };
  const text = await read();
  if (text === undefined) return undefined;
  const { readYaml } = await import('../../gather/files/yaml.js');
  const reading = readYaml(text, { isDeployed: true });
  // The parser's error may quote the file, such as an undefined alias.
  if (!reading.ok) throw unreadable('it is not YAML');
  const context = isRecord(reading.value) && isRecord(reading.value.context) ? reading.value.context : {};
  const [serverUrl, project, apiKey] = ['serverUrl', 'project', 'apiKey'].map((key) =>
    typeof context[key] === 'string' ? context[key] : undefined,
  );
  const origin = serverUrl !== undefined && URL.canParse(serverUrl) ? new URL(serverUrl).origin : undefined;
  return { file, serverUrl, origin, project, apiKey };
}

const maxBytes = mostBytes.small;
