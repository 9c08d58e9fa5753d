import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../core/json/is-record.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { readFileText, unreadable } from './read-file.js';
import { readYaml } from './yaml.js';

/**
 * How many pre-aggregates of a project neither a schedule nor a compile refreshes, by its YAML: `pre_aggregates` of a
 * model, wherever it stands. One with a `table` is built outside Lightdash.
 *
 * @throws {LightspanError} `unreadable-source`; `usage` for a file with pre-aggregates that cannot be read
 */
export async function countWithoutRefresh(folder: string): Promise<number> {
  let count = 0;
  for (const file of yamlIn(folder)) {
    const text = await readFileText(file);
    if (!text.includes('pre_aggregates')) continue;
    const reading = readYaml(text);
    if (!reading.ok) {
      const [fault] = reading.faults;
      throw new LightspanError('usage', `${file}:${fault?.line}:${fault?.column}: ${fault?.message}`, {
        hint:
          'It names pre-aggregates, and nothing shows what refreshes them. Say so with --fact ' +
          'pre-aggregates-without-refresh=<count>.',
      });
    }
    count += preAggregatesIn(reading.value).filter(isWithoutRefresh).length;
  }
  return count;
}

function yamlIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return /^\.|^node_modules$/.test(entry.name) ? [] : yamlIn(path);
      return /\.ya?ml$/i.test(entry.name) ? [path] : [];
    });
  } catch (error) {
    throw unreadable(`the project ${folder}`, error);
  }
}

function preAggregatesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(preAggregatesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pre_aggregates' && Array.isArray(inner) ? inner : preAggregatesIn(inner),
  );
}

function isWithoutRefresh(definition: unknown): boolean {
  const { table, refresh } = Object(definition);
  const { cron, on_change: onChange } = Object(refresh);
  return table === undefined && !(typeof cron === 'string' && cron.trim() !== '') && onChange !== true;
}
