import { statSync } from 'node:fs';
import { renderFailureJson } from '../answer/json/document.js';
import { renderFailureText } from '../answer/outputs/messages.js';
import { checkUpgrade } from '../app/check-upgrade.js';
import { baseOf } from '../app/settings/base.js';
import { settingsInForce } from '../app/settings/in-force.js';
import { LightspanError, toFailure } from '../core/lightspan-error.js';
import type { CommandContext, Output } from '../door/context.js';
import type { OptionDeclaration, OptionsOf } from '../door/declare.js';
import { type ExitCode, exitCodes } from '../door/exit-codes.js';
import { readInvocation } from '../door/invocation.js';
import { checkOptions, spanQuestionOf } from '../door/options/check-options.js';
import { answerWantedOf } from '../door/options/options.js';
import { usersWordsOf } from '../door/users-words.js';
import { looksLikeUrl } from '../gather/http/address.js';
import { requestOf } from '../gather/http/request-details.js';
import { noSettings } from '../question/settings.js';
import { forGithubLog } from './github-log.js';
import { hasFallenBack } from './plain-fallback.js';
import { contextOf, openOutput } from './this-process.js';

/**
 * A check as pipelines ask for it: `upgrade-check --from --to --index`, of a file or a URL, as text or as JSON. It is the
 * same `checkUpgrade` with the same options; but plain.cjs is built of what such a check runs and of nothing else, above
 * all no parser of command lines and no schemas, and so takes a fifth of the time to load. Whatever else comes up, be it
 * an option, settings, an error, or a module that is not there, the whole program starts anew; nothing is written before.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const { stdout, stderr, end } = openOutput();
  const answer = await checkPlainly(argv, contextOf(stdout, stderr));
  if (answer === undefined) return (await import('./main.js')).main(argv);
  for (const { to, text } of answer.written) to.write(text);
  await end(answer.exitCode);
  // Tidying up takes Node 2 ms. Nothing is left to do, and nothing left to write.
  if (stdout.isWritten() && stderr.isWritten()) process.exit();
}

interface PlainAnswer {
  readonly exitCode: ExitCode;
  readonly written: readonly { readonly to: Output; readonly text: string }[];
}

/** @returns undefined if it is not for this part to answer; then nothing was written */
export async function checkPlainly(
  argv: readonly string[],
  world: CommandContext,
): Promise<PlainAnswer | undefined> {
  const written: { to: Output; text: string }[] = [];
  const buffered = (to: Output): Output => ({
    write: (text) => {
      const last = written.at(-1);
      if (last?.to === to) last.text += text;
      else written.push({ to, text });
    },
    isTTY: to.isTTY === true,
    columns: to.columns ?? 0,
  });
  const outputs = { stdout: buffered(world.stdout), stderr: buffered(world.stderr) };
  const invocation = readInvocation(argv);
  let endsWaiting = () => {};
  try {
    const options = readPlainOptions(argv);
    if (options === undefined || (await settingsInForce({}, world.env)) !== undefined) return undefined;
    // What judges a change may be of the change.
    if (baseOf({}, world.env) !== undefined) return undefined;
    const context = await forGithubLog({ ...world, ...outputs }, invocation);
    const question = spanQuestionOf(options, noSettings, world.env);
    const { source } = question.evidence.index;
    if (looksLikeUrl(source))
      endsWaiting = (await import('./waiting.js')).waitWithProgress(written, world.stderr);
    // A pipe can be read only once.
    else if (!statSync(source).isFile()) return undefined;
    const exitCode = await checkUpgrade(
      question,
      answerWantedOf(options, usersWordsOf(invocation.argv)),
      context,
    );
    const isAnswer = exitCode === exitCodes.yes || exitCode === exitCodes.no;
    return isAnswer && !hasFallenBack() ? { exitCode, written } : undefined;
  } catch (error) {
    // Nobody waits for a server twice.
    if (!isOfRequest(error) || hasFallenBack()) return undefined;
    const { stdout, stderr } = await forGithubLog({ ...world, ...outputs }, invocation);
    const failure = toFailure(error);
    if (invocation.format === 'json') stdout.write(renderFailureJson(failure));
    stderr.write(renderFailureText(failure));
    return { exitCode: exitCodes.unavailable, written };
  } finally {
    endsWaiting();
  }
}

/** Whether a request got no answer: exit 3, for which the table of all errors need not be loaded. */
function isOfRequest(error: unknown): error is LightspanError {
  return (
    error instanceof LightspanError &&
    requestOf(error)?.attempts !== undefined &&
    ['timeout', 'network', 'http-status', 'too-large'].includes(error.code)
  );
}

/** The options as commander reads them; undefined where it would refuse one, or may read it otherwise. */
export function readPlainOptions(argv: readonly string[]): OptionsOf<typeof checkOptions> | undefined {
  if (!readInvocation(argv).plain) return undefined;
  const options: Record<string, unknown> = {};
  for (const [name, { flags, default: value }] of declared) {
    if (flags.startsWith('--no-')) options[name] = true;
    else if (value !== undefined) options[name] = value;
  }
  const named = new Set<string>();
  const words = argv.slice(1).values();
  for (const word of words) {
    const [name, declaration] =
      declared.find(([, { flags }]) => flags === word || flags.startsWith(`${word} `)) ?? [];
    if (name === undefined || declaration === undefined || named.has(name)) return undefined;
    named.add(name);
    if (!declaration.flags.includes('<')) {
      options[name] = true;
      continue;
    }
    const { value: text } = words.next();
    if (text === undefined || text.trim() === '' || text.startsWith('-')) return undefined;
    if (declaration.choices?.includes(text) === false) return undefined;
    options[name] = declaration.read === undefined ? text : declaration.read(text);
  }
  return named.has('from') ? (options as OptionsOf<typeof checkOptions>) : undefined;
}

const declared: readonly (readonly [name: string, OptionDeclaration])[] = Object.entries(checkOptions);
