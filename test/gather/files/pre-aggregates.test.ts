import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countWithoutRefresh } from '../../../src/gather/files/pre-aggregates.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function projectOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const model = (one: string) => `
models:
  - name: orders
    config:
      meta:
        pre_aggregates:
          - name: by_status
            dimensions: [status]
            metrics: [count]
${one}`;

it.each([
  ['', 1],
  ['            refresh: { cron: "0 3 * * *" }', 0],
  ['            refresh: { on_change: true }', 0],
  ['            refresh: { on_change: false }', 1],
  ['            refresh: { cron: "" }', 1],
  ['            table: rollups.orders', 0],
])('of a model with %j: %i', async (one, count) => {
  expect(await countWithoutRefresh(projectOf({ 'models/deep/orders.yml': model(one) }))).toBe(count);
});

it('of a model of dbt 1.9, of Lightdash YAML, and of no other files', async () => {
  const old = 'models:\n  - name: a\n    meta:\n      pre_aggregates: [{ name: a1 }, { name: a2 }]\n';
  const own =
    'type: model\nname: b\npre_aggregates:\n  - { name: b1, refresh: { cron: "@daily" } }\n  - { name: b2 }\n';
  const files = { 'a.yml': old, 'b.yaml': own, 'broken.yml': '{', 'node_modules/c.yml': old, 'd.sql': old };
  expect(await countWithoutRefresh(projectOf(files))).toBe(3);
});

it('of a file that cannot be read there is no number', async () => {
  await expect(countWithoutRefresh(projectOf({ 'a.yml': 'pre_aggregates: [' }))).rejects.toThrow(/a\.yml:1:/);
  await expect(countWithoutRefresh(join(temporaryFolder(), 'none'))).rejects.toThrow('the project');
});
