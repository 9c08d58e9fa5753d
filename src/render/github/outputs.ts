import type { GateAnswer } from '../gate/answer.js';

/**
 * The outputs of a step, as `$GITHUB_OUTPUT` takes them. `safe` stands last, so that a file that was cut off never
 * claims it.
 *
 * @param delimiter a random text that no value can hold
 */
export function renderOutputs(answer: GateAnswer, exitCode: number, delimiter: string): string {
  const [next] = answer.hops;
  return renderPairs(
    {
      verdict: String(answer.verdict),
      strategy: answer.strategy ?? '',
      'next-hop': next?.certified === true ? next.toVersion : '',
      route: answer.hops
        .map((hop) => `${hop.fromVersion} ${hop.toVersion} ${hop.certified ? hop.strategy : 'uncertified'}`)
        .join('\n'),
      'exit-code': String(exitCode),
      safe: String(answer.safe),
    },
    delimiter,
  );
}

/** The outputs of a step that has no answer: what an earlier run of the step has said does not stand. */
export function renderFailureOutputs(exitCode: number): string {
  return renderPairs(
    {
      verdict: 'unknown',
      strategy: '',
      'next-hop': '',
      route: '',
      'exit-code': String(exitCode),
      safe: 'false',
    },
    '',
  );
}

function renderPairs(values: Readonly<Record<string, string>>, delimiter: string): string {
  return Object.entries(values)
    .map(([name, value]) =>
      value.includes('\n') ? `${name}<<${delimiter}\n${value}\n${delimiter}\n` : `${name}=${value}\n`,
    )
    .join('');
}
