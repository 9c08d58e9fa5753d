import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantsSql } from '../../src/gather/database/grants.js';
import { runCli } from '../support/cli.js';
import { instanceTables } from '../support/lightdash-tables.js';
import { asYaml, chartObjects } from '../support/manifests.js';
import { type Cluster, startPostgres, whenMeasured } from '../support/postgres.js';
import { upgradeTo, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What a person reads who gives everything: a real server, the artifacts and the deployment, up to GO. */

/** As `kubectl get -o yaml` prints it. */
const backupOfToday = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'database-backup' },
  spec: {
    schedule: '0 3 * * *',
    jobTemplate: {
      spec: {
        template: { spec: { containers: [{ name: 'dump', image: 'postgres:15', command: ['pg_dump'] }] } },
      },
    },
  },
  status: { lastSuccessfulTime: new Date().toISOString() },
};

const here = process.cwd();
const folder = temporaryFolder();
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startPostgres();
  cluster.database('bi', instanceTables({ names: ['20260801000000_old.js'] }));
  cluster.sql('bi', 'CREATE EXTENSION "uuid-ossp"; ANALYZE;');
  cluster.sql('bi', grantsSql('looker'));
  await writeSituation(
    folder,
    upgradeTo([{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }]),
  );
  const env = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'].map((name) => ({ name, value: 'x' }));
  const objects = chartObjects({ chart: '2.16.361', app: '2.0.0', mode: 'RollingUpdate', env });
  writeFileSync(join(folder, 'manifests.yaml'), asYaml([...objects, backupOfToday]));
  writeFileSync(
    join(folder, 'values.yaml'),
    'image: {tag: 2.0.0}\nupgrade: {mode: RollingUpdate}\nlightdashBackend: {}\n',
  );
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(here);
  return cluster.stop();
});

it('a healthy instance with everything given ends in GO', async () => {
  const evidence =
    '--database DATABASE_URL --manifests manifests.yaml --values values.yaml --disk-free 40GiB --index .';
  const line = `upgrade-preflight --from 2.0.0 --to latest ${evidence}`;
  const env = { DATABASE_URL: cluster.url('looker', 'bi'), NO_COLOR: '1' };
  const { code, stdout, stderr } = await whenMeasured(() =>
    runCli(line.split(' '), { env, columns: 80, now: new Date() }),
  );
  process.chdir(here);
  const text = `$ lightspan ${line}\n${stderr}${stdout}`
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z(?=\s\(\d+\s+seconds? old| \(the)/g, '<now>')
    .replace(/\(\d+\s+seconds?\s+old\)/, '(<age>)')
    .replace(/is \d+ days old/, 'is <n> days old');
  await expect(text).toMatchFileSnapshot('../transcripts/jobs/preflight-of-postgres.txt');
  expect(code).toBe(0);
});
