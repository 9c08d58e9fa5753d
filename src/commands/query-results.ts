import { renderDocument } from '../answer/json/document.js';
import type { QueryResultsResult } from '../answer/json/merge-schemas.js';
import { connect } from '../app/lightdash/connection.js';
import { fetchResult } from '../app/lightdash/fetch-result.js';
import { defineCommand } from '../door/declare.js';
import { endings } from '../door/exit-codes.js';
import { connectionNotes, connectionOf, projectConnection } from '../door/options/connection-options.js';
import { rowOptions, rowsQuestionOf } from '../door/options/row-options.js';
import { readDuration } from '../door/readers.js';
import { type FileSink, withFile } from '../door/text-sink.js';
import { requireUuid } from '../gather/api/base-url.js';

export const command = defineCommand({
  takes: {
    queryUuid: { flags: '<queryUuid>', description: 'UUID of the query, as merge submit prints it' },
    wait: {
      flags: '--wait <duration>',
      description: 'longest wait for a query that is still running (default: 10m)',
      read: readDuration,
    },
    ...rowOptions(''),
    ...projectConnection,
  },
  notes: connectionNotes,
  exitCodes: {
    0: 'the result is complete',
    1: 'the query failed, was cancelled, expired or is not known',
    2: endings.nothingSent,
    3: endings.noResult,
    4: endings.notTheContract,
  },
  examples: [
    'lightspan query results b1f7c0de-9a1b-4c2d-8e3f-0a1b2c3d4e5f',
    'lightspan query results b1f7c0de-9a1b-4c2d-8e3f-0a1b2c3d4e5f --output csv --out result.csv',
  ],
  run: async (options, context) => {
    const rows = rowsQuestionOf(options);
    const connection = connectionOf(options);
    const queryUuid = requireUuid(options.queryUuid, 'query');
    const client = await connect(connection, { project: true }, context);
    const fetch = (file?: FileSink) =>
      fetchResult({
        client,
        queryUuid,
        fieldIds: [],
        wait: options.wait,
        file,
        rows,
        connection,
        renderJson: (end) => renderDocument<QueryResultsResult>(end),
        context,
      });
    return rows.out === undefined ? fetch() : withFile(rows.out, fetch);
  },
});
