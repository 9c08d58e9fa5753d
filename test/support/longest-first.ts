import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, by a measurement of all of them: the longest first. */
const longest = [
  'test/steps/bench/rows.test.ts',
  'test/rehearsal/killed.test.ts',
  'test/rehearsal/dumps.test.ts',
  'test/renovate.test.ts',
  'test/steps/hop-block.test.ts',
  'test/gates.test.ts',
  'test/install.test.ts',
  'test/rehearsal/rehearse.test.ts',
  'test/steps/bench/interruptions.test.ts',
  'test/page/page.test.ts',
  'test/loop.test.ts',
  'test/rehearsal/containers.test.ts',
  'test/faults/backup.test.ts',
  'test/steps/bench/hops.test.ts',
  'test/kubernetes.test.ts',
  'test/package.test.ts',
  'test/postgres/live-database.test.ts',
  'test/pins/replay.test.ts',
  'test/faults/database.test.ts',
  'test/postgres/preflight.test.ts',
  'test/commands/pin-check.test.ts',
  'test/commands/options.test.ts',
  'test/jobs.test.ts',
  'test/transcripts.test.ts',
  'test/commands/settings-base.test.ts',
  'test/headlines.test.ts',
  'test/commands/index-mirror.test.ts',
  'test/checks/less-is-never-better.test.ts',
  'test/pins/many-services.test.ts',
  'test/faults/known-issues.test.ts',
  'test/faults/manifests.test.ts',
  'test/faults/readers.test.ts',
  'test/faults/values.test.ts',
  'test/faults/artifacts.test.ts',
];

/**
 * Begins with what takes longest: left to the end, it would run while the other cores wait. The files of a project stay
 * together, for a worker ends with the last of them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.indexOf(relative('.', moduleId).replaceAll(sep, '/'));
      return at < 0 ? longest.length : at;
    };
    const ofProject = new Map<string, number>();
    for (const file of files) {
      const { name } = file.project;
      ofProject.set(name, Math.min(rank(file), ofProject.get(name) ?? longest.length));
    }
    const rankOfProject = ({ project }: TestSpecification) => ofProject.get(project.name) ?? longest.length;
    return (await super.sort(files)).toSorted(
      (a, b) => rankOfProject(a) - rankOfProject(b) || rank(a) - rank(b),
    );
  }
}
