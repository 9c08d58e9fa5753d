import { renderDocument } from '../answer/json/document.js';
import type { IndexDatasourceResult } from '../answer/json/index-schemas.js';
import { renderCurrentVersion, renderLines } from '../answer/outputs/messages.js';
import { chooseTarget, noticeTarget } from '../app/choose-target.js';
import { openEvidence } from '../app/evidence.js';
import { findCurrentVersion } from '../app/sources/current-version.js';
import { namesOf } from '../core/accepted.js';
import type { Version } from '../core/field-schemas.js';
import { findProvenTargets } from '../core/index/index-summary.js';
import type { ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
import { planBump } from '../core/pins.js';
import { recommendedMinAgeMs } from '../core/route/recommended.js';
import { resolveTarget } from '../core/route/route.js';
import { isMajorWithoutNote, majorsCrossed } from '../core/span.js';
import { commandWith } from '../core/text/quoted-words.js';
import { compareVersions } from '../core/version.js';
import { defineCommand } from '../door/declare.js';
import { endings, exitCodes } from '../door/exit-codes.js';
import { checkOptions } from '../door/options/check-options.js';
import { evidenceQuestionOf, knownIssues, sources } from '../door/options/evidence-options.js';
import {
  currentVersion,
  recommendedMinAge,
  statedVersionOf,
  target,
  targetQuestionOf,
} from '../door/options/options.js';
import { whereFrom, wholeFile } from '../door/options/phrases.js';
import { writeWhole } from '../door/text-sink.js';
import type { DatasourceQuestion } from '../question/route.js';
import { countOf } from '../words/phrase.js';

export const command = defineCommand({
  takes: {
    ...currentVersion,
    out: {
      flags: '--out <file>',
      group: 'output',
      description: `write it ${wholeFile} (default: standard output)`,
    },
    allowRecreate: {
      flags: '--allow-recreate',
      group: 'question',
      brief: 'if nothing is proven to roll, list a hop with downtime, held',
      description:
        'if nothing is proven to roll, list the hop that the plan takes with downtime, marked as held: a ' +
        'pull request for it waits for a decision',
    },
    to: {
      ...checkOptions.to,
      brief: 'the last release listed: a version, latest or recommended',
      description:
        'the newest release that is listed: latest (the default), a version, or recommended, the newest that is old ' +
        'enough (--min-age) and has no known issue',
      default: 'latest',
    },
    minAge: {
      ...target.minAge,
      description:
        `list only releases that are at least that old (with --to recommended, default ${recommendedMinAge}; else any ` +
        'age)',
    },
    requireRecords: target.requireRecords,
    ...sources,
    ...knownIssues,
    verbose: { flags: '--verbose', description: whereFrom('the index') },
  },
  notes: `It is valid for the version that it was made from, and for later ones: an older one needs its own file. Make it
again when the index changes, and when known issues do.`,
  exitCodes: {
    0:
      'the datasource is written; if nothing is proven, it contains only the running version, and with ' +
      '--allow-recreate the hop that is held',
    3: `${endings.noIndexOrInstance}, or the file cannot be written`,
    4: endings.untrusted,
  },
  examples: [
    'lightspan index datasource --from 1.121.0',
    'lightspan index datasource --from-file values.yaml --max-age 7d --out 1.121.0.json',
    'lightspan index datasource --from 1.156.0 --allow-recreate',
    'lightspan index datasource --from 1.121.0 --to recommended',
  ],
  run: async (options, context, { settings, words }) => {
    const { stdout, stderr } = context;
    const { out } = options;
    const { running, target, listsDowntime, evidence }: DatasourceQuestion = {
      running: statedVersionOf(options),
      target: targetQuestionOf(options),
      listsDowntime: options.allowRecreate === true,
      evidence: evidenceQuestionOf(options, settings, context.env),
    };
    const current = await findCurrentVersion(running, context);
    if (running.by !== 'version') stderr.write(renderCurrentVersion(current));
    const source = await openEvidence(evidence, context);
    const { index, acceptances } = source;
    const { generatedAt, entries } = index;
    const from = current.version;
    const accepted = namesOf('check', acceptances.inForce);
    const isRefused = (major: Version) =>
      evidence.checks.failOnMajor && !isMajorWithoutNote(major) && !accepted.has(`majors/${major}`);
    const proven = findProvenTargets(index, from);
    const withDowntime = listsDowntime && proven.length === 0 ? landingWithDowntime(index, from) : [];
    const chosen = await chooseTarget(source, from, target, context, true);
    noticeTarget(chosen, context);
    const last = resolveTarget(index, from, chosen.to);
    const minAgeMs = target.minAgeMs ?? (chosen.recommendation === undefined ? 0 : recommendedMinAgeMs);
    const newestAt = context.now().getTime() - minAgeMs;
    const targets = [...proven, ...withDowntime].filter(
      ({ version, releaseDate }) =>
        Date.parse(releaseDate) <= newestAt &&
        compareVersions(version, last) <= 0 &&
        !majorsCrossed({ from, to: version }).some(isRefused),
    );
    const isHeld = withDowntime.length > 0 && targets.length > 0;
    const text = renderDocument<IndexDatasourceResult>({
      generatedAt,
      fromVersion: from,
      // The running version is there whether or not the index has it: with rollbackPrs, Renovate rolls back one that is
      // missing. Renovate reads these names.
      releases: [
        entries.find(({ version }) => version === from) ?? { version: from, releaseDate: undefined },
        ...targets,
      ].map(({ version, ...entry }) => ({
        version,
        releaseTimestamp: entry.releaseDate,
        changelogUrl: `https://github.com/lightdash/lightdash/releases/tag/${version}`,
      })),
      sourceDirectory: isHeld ? heldMark : undefined,
    });
    if (out === undefined) stdout.write(text);
    else await writeWhole(out, text);
    const newest = targets.at(-1)?.version;
    const plan = commandWith(['upgrade-plan', '--from', from, '--to', 'latest', ...words.evidence], []);
    const nothing = `Nothing is proven from ${from}: ${plan ?? 'lightspan upgrade-plan'} shows what blocks it.`;
    const found =
      newest === undefined || isHeld
        ? `${nothing}${isHeld ? ` Held, with downtime: ${newest}.` : ''}`
        : `From ${from}: ${countOf(targets.length, 'proven target')}, the newest ${newest}.`;
    stderr.write(renderLines([`${found}${out === undefined ? '' : ` Written to ${out}.`}`]));
    return exitCodes.yes;
  },
});

/** What rules of Renovate match: of what a datasource may say of all its releases, nothing else here is free. */
const heldMark = 'upgrade-hold';

/** The hop that `upgrade-bump --allow-recreate` would pin, unless it rolls. */
function landingWithDowntime(index: ReleaseSafetyIndex, pinnedVersion: Version) {
  const { result, decision } = planBump({ index }, { pinnedVersion, to: 'latest', allowRecreate: true });
  return decision === 'recreate' ? index.entries.filter(({ version }) => version === result.toVersion) : [];
}
