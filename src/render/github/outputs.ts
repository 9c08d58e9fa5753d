import type { GateAnswer } from '../gate/answer.js';

/**
 * The outputs of a step, in the format of `$GITHUB_OUTPUT`. `safe` comes last, so that a truncated file never claims
 * it.
 *
 * @param delimiter a random text that no value can contain
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

/** The outputs of a step without an answer: they replace those of an earlier run of the step. */
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
