import { type CommandContext, mapOutput } from '../door/context.js';
import type { Invocation } from '../door/invocation.js';

/** Commands whose output is data, which stays as it is. */
const commandsOfData = ['upgrade-report', 'merge', 'chart', 'query', 'catalog', 'org', 'completion'];

/** The same context, but with nothing for people in it that the runner of a GitHub job would obey in its log. */
export async function forGithubLog(
  context: CommandContext,
  { format, command = '' }: Invocation,
): Promise<CommandContext> {
  if (format !== 'github' && !context.env.GITHUB_ACTIONS) return context;
  const { logText } = await import('../answer/formats/log-text.js');
  const { stdout, stderr } = context;
  const isData = format !== 'text' || commandsOfData.includes(command);
  return {
    ...context,
    stdout: isData ? stdout : mapOutput(stdout, logText),
    stderr: mapOutput(stderr, logText),
  };
}
