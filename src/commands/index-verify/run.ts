import { type ExitCode, exitCodeOfAnswer } from '../../exit-codes.js';
import { auditIndexText } from '../../release-safety/index-faults.js';
import { renderDocument } from '../../render/json/document.js';
import type { IndexVerifyResult } from '../../render/json/index-result-schemas.js';
import { mostShown, renderIndexVerifyText } from '../../render/text/index-verify.js';
import { decodeUtf8 } from '../../sources/bytes.js';
import { checkIndexAge } from '../../sources/index-age.js';
import { describeSource, readIndexSource } from '../../sources/index-source.js';
import { choosePalette } from '../colour.js';
import type { CommandContext } from '../context.js';
import { indexRequest } from '../read-index.js';
import type { OutputOptions, SourceOptions } from '../shared-options.js';

export type IndexVerifyOptions = SourceOptions & OutputOptions;

/** `lightspan index verify`: exit 0 only if no fault was found. */
export async function indexVerify(options: IndexVerifyOptions, context: CommandContext): Promise<ExitCode> {
  const request = indexRequest(options, context);
  const source = describeSource(request.source);
  const { bytes, keep } = await readIndexSource(request);
  const audit = auditIndexText(decodeUtf8(bytes, 'the index'));
  const { generatedAt, entries, faults, faultCount } = audit;
  if (generatedAt !== undefined) {
    checkIndexAge({ generatedAt }, { ...request, source, now: context.now() });
  }
  const valid = faults.length === 0;
  if (valid) keep();
  context.stdout.write(
    options.json === true
      ? renderDocument<IndexVerifyResult>({
          source,
          generatedAt,
          releases: entries,
          valid,
          faultCount,
          faults: faults.slice(0, mostShown),
        })
      : renderIndexVerifyText(audit, { source, palette: await choosePalette(options, context) }),
  );
  return exitCodeOfAnswer(valid);
}
