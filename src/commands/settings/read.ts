import { neverAccepted } from '../../checks/accepting.js';
import { LightspanError } from '../../errors.js';
import { readFact } from '../../facts/fact-names.js';
import { nameOfRisk } from '../../release-safety/accepted.js';
import { ReleaseSafetyError } from '../../release-safety/errors.js';
import { parseRouteTarget } from '../../release-safety/version.js';
import { withDoubles } from '../../shared/exact-json.js';
import { parseWith } from '../../shared/parse-with.js';
import { formatPath, type SchemaProblem } from '../../shared/schema-problem.js';
import { parseInstanceAddress } from '../../sources/instance-health.js';
import { readInputText } from '../../sources/read-file.js';
import { secretsIn } from '../../sources/secrets.js';
import { readYaml } from '../../sources/yaml.js';
import { parseByteCount } from '../readers.js';
import type { SettingsPlace } from './find.js';
import { type Settings, settingsSchema } from './schema.js';

export interface ReadSettings {
  readonly settings: Settings;
  /** The line of a key or value, from 1. */
  readonly lineOf: (...path: readonly (string | number)[]) => number;
}

/**
 * The settings of a file.
 *
 * @throws {LightspanError} `unreadable-source`; `usage` with its faults
 */
export async function loadSettings({ file, shown }: SettingsPlace): Promise<ReadSettings> {
  const stdin = (async function* () {})();
  return readSettings(await readInputText({ source: file, stdin, what: 'settings' }), shown);
}

/**
 * Reads settings.
 *
 * @param name of the file, for messages
 * @throws {LightspanError} `usage` with the place of every fault; a secret is never repeated
 */
export function readSettings(text: string, name: string): ReadSettings {
  const refuse = (faults: readonly string[], hint = 'docs/commands/settings.md shows every key.') =>
    new LightspanError('usage', `${name}:${faults.slice(0, 5).join(`; ${name}:`)}`, { hint });
  const reading = readYaml(text);
  if (!reading.ok) {
    throw refuse(reading.faults.map(({ line, column, message }) => `${line}:${column}: ${message}`));
  }
  const value = withDoubles(reading.value);
  const placed = ({ path, about, message }: SchemaProblem) => {
    const { line, column } = reading.positionOf(path, about);
    return `${line}:${column}: ${path.length === 0 ? '' : `${formatPath(path)}: `}${message}`;
  };
  const secrets = secretsIn(value, []);
  if (secrets.length > 0)
    throw refuse(secrets.map(placed), 'The file is for everybody who works on the instance.');
  const parsed = parseWith(settingsSchema, value);
  if (!parsed.ok) throw refuse(parsed.problems.map(placed));
  const problems = problemsOf(parsed.value);
  if (problems.length > 0) throw refuse(problems.map(placed));
  return { settings: parsed.value, lineOf: (...path) => reading.positionOf(path, 'key').line };
}

/** What a schema cannot say of the values. */
function problemsOf({ instance, to, diskFree, facts = {}, accept = [] }: Settings): SchemaProblem[] {
  const names = accept.map(nameOfRisk);
  const faults: readonly (readonly [path: SchemaProblem['path'], message: string | undefined])[] = [
    [['instance'], instance && faultOf(() => parseInstanceAddress(instance, 'the URL'))],
    [['to'], to && faultOf(() => parseRouteTarget(to))],
    [
      ['diskFree'],
      diskFree && parseByteCount(diskFree) === undefined ? 'expected a size such as 40GiB' : undefined,
    ],
    ...Object.entries(facts).map(([name, written]) => {
      const fact = readFact(name, written);
      return [['facts', name], fact.ok ? undefined : `expected ${fact.expected ?? 'another fact'}`] as const;
    }),
    ...accept.map((one, i) => {
      const message = 'check' in one ? neverAccepted[one.check] : undefined;
      return [['accept', i, 'check'], message] as const;
    }),
    ...names.map(
      (name, i) => [['accept', i], names.indexOf(name) < i ? 'it is accepted twice' : undefined] as const,
    ),
  ];
  return faults.flatMap(([path, message]) => (message ? [{ path, about: 'value', message }] : []));
}

function faultOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof LightspanError || error instanceof ReleaseSafetyError) return error.message;
    throw error;
  }
}
