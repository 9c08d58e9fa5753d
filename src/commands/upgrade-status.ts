import { renderDocument } from '../answer/json/document.js';
import { renderLines } from '../answer/outputs/messages.js';
import { lookAtMigration } from '../app/look-at-migration.js';
import { defineCommand } from '../door/declare.js';
import { exitCodeOfOutcome, exitCodes } from '../door/exit-codes.js';
import { database, readingOf, migratingRole as roleOption } from '../door/options/deployment-options.js';
import { indexPlaceOf, sources } from '../door/options/evidence-options.js';
import { json, networkOf } from '../door/options/options.js';
import { chooseFormat, readDuration } from '../door/readers.js';
import type { MigrationHistory } from '../instance/migration-history.js';
import { statusOf, stuckAfterMs, type UpgradeStatus } from '../instance/migration-status.js';

export const command = defineCommand({
  takes: {
    database: { ...database.database, default: 'env' },
    // The address has a default, so nothing has to be given beside the role.
    migratingRole: { ...roleOption.migratingRole, needs: [] },
    stuck: {
      flags: '--stuck <duration>',
      group: 'question',
      brief: 'how long a wait for a lock may last (5m)',
      description: 'how long a migration may wait for a lock before the answer is no',
      read: readDuration,
      default: stuckAfterMs,
      defaultText: '5m',
    },
    history: {
      flags: '--history',
      group: 'question',
      brief: 'what has migrated, when, and how long it took',
      description:
        'list what has migrated, when and how long, by the ledgers of the database; the index names the release where ' +
        'they do not',
    },
    ...sources,
    ...json,
  },
  notes:
    'It looks once, and changes nothing. Of a statement it shows the command and the table, never the text. It never ' +
    'prints a command that ends a session.',
  exitCodes: {
    0: 'nothing migrates: at rest, or done; with --history, it is listed',
    1: 'parked, dead, or waiting for a lock longer than --stuck',
    3: 'a migration is not finished, or it could not be seen; or the database, or an index that --history needs, could not be reached',
    4: 'an answer of the database cannot be trusted',
  },
  examples: [
    'lightspan upgrade-status',
    'lightspan upgrade-status --database LIGHTDASH_DATABASE_URL --json',
    'lightspan upgrade-status --stuck 1m',
    'lightspan upgrade-status --history --database env',
  ],
  run: async (options, context) => {
    const { timeout: timeoutMs, stuck: stuckMs } = options;
    const isJson = chooseFormat(options) === 'json';
    const question = { database: options.database, ...readingOf(options), timeoutMs, stuckMs };
    if (options.history === true) {
      const { readHistory } = await import('../app/migration-history.js');
      const place = indexPlaceOf(options, context.env);
      const history = await readHistory(question, place, networkOf(options), context);
      const { linesOfHistory } = await import('../answer/outputs/history.js');
      const lines = renderLines(linesOfHistory(history));
      context.stdout.write(isJson ? renderDocument<MigrationHistory>(history) : lines);
      return exitCodes.yes;
    }
    const { status, outcome } = statusOf(await lookAtMigration(question, context), question.stuckMs / 1000);
    context.stdout.write(isJson ? renderDocument<UpgradeStatus>(status) : renderLines([status.summary]));
    return exitCodeOfOutcome(outcome);
  },
});
