import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, by a measurement of all of them: the longest first. So do those that start hundreds of
 * programs: a start takes the longer the more memory a worker holds, 0.5 ms at first and 7 ms from 300 MB on.
 */
const longest = `
rehearsal/killed rehearsal/dumps renovate steps/bench/rows steps/hop-block gates install rehearsal/rehearse page/page
faults/backup rehearsal/containers steps/bench/interruptions steps/bench/hops kubernetes postgres/graphile-worker
postgres/hostile-database postgres/dependents postgres/preflight answer/formats/html postgres/live-database faults/database
loop package pins/replay checks/less-is-never-better pins/many-services
commands/pin-check pins/every-kind commands/settings-base commands/options jobs headlines transcripts commands/index-mirror
main start commands/gate-formats pins/git/git ci commands/upgrade-report pins/moves answers-of-spans plain library/judge
commands/index-verify
faults/known-issues faults/manifests faults/readers faults/values faults/artifacts faults/kept-data
`
  .trim()
  .split(/\s+/)
  .map((name) => `test/${name}.test.ts`);

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
