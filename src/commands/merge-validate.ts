import { renderMergeChecksJson, renderMergeChecksText } from '../answer/outputs/merge.js';
import { type MergeFile, readMergeFile } from '../app/lightdash/merge-file.js';
import { defineCommand } from '../door/declare.js';
import { exitCodeOfOutcome } from '../door/exit-codes.js';
import { json } from '../door/options/options.js';
import { filesOrInput } from '../door/options/phrases.js';
import { writeResult } from '../door/write-answer.js';
import { statusOfChecks } from '../merge/merge-check.js';

export const command = defineCommand({
  takes: {
    files: {
      flags: '<file...>',
      description: `merge requests as YAML or JSON: ${filesOrInput}`,
    },
    ...json,
  },
  exitCodes: {
    0: 'no file has a fault, as far as can be known without the server',
    1: 'all are merge requests, but one breaks a rule',
    2: 'one is not a merge request, or the command line is wrong',
    3: 'a file cannot be read',
  },
  examples: [
    'lightspan merge validate merges/*.yaml',
    "lightspan merge validate merge.yaml --json | jq '.errors[].kind'",
  ],
  run: async ({ files: sources, ...options }, context) => {
    const files: MergeFile[] = [];
    for (const source of sources) files.push(await readMergeFile({ source, stdin: context.stdin }));
    await writeResult(options, context, {
      json: () => renderMergeChecksJson(files),
      text: () => renderMergeChecksText(files),
    });
    return exitCodeOfOutcome(statusOfChecks(files));
  },
});
