import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** A shell at a terminal, and how what is pasted reaches it: marked as pasted, as terminals do, or line by line. */
export interface PastedInto {
  readonly shell: 'bash' | 'zsh' | 'dash';
  readonly as: 'paste' | 'lines';
}

/** An interactive shell at a terminal of its own. */
export interface Terminal {
  /** Pastes, and resolves with what is on the screen since then as soon as the shell asks for more. */
  readonly paste: (text: string) => Promise<string>;
  /** Pastes, and presses Ctrl-C as soon as the screen has a text. */
  readonly interrupt: (text: string, at: string) => Promise<string>;
  /** Pastes, and types a line as soon as the screen has a text. */
  readonly answer: (text: string, at: string, line: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

const prompt = 'READY> ';

export async function openTerminal(
  { shell, as }: PastedInto,
  folder: string,
  env: Record<string, string>,
): Promise<Terminal> {
  const start = { bash: 'bash --noprofile --norc -i', zsh: 'zsh -f -i', dash: 'dash -i' }[shell];
  const child = spawn('script', ['-qfec', start, '/dev/null'], {
    cwd: folder,
    env: { ...env, TERM: 'xterm', COLUMNS: '200', PS1: prompt, PS2: '' },
  });
  let screen = '';
  let wake = () => {};
  child.stdout.on('data', (data) => {
    screen += data;
    wake();
  });
  const closed = new Promise<void>((done) => child.on('close', () => done()));
  child.stdin.on('error', () => {});

  /** A terminal that does not answer is told of, with what it shows. */
  const until = (seen: () => boolean) =>
    new Promise<void>((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`the terminal does not go on:\n${screen}`)), 60_000);
      wake = () => {
        if (!seen()) return;
        clearTimeout(timer);
        done();
      };
      wake();
    });
  let questions = 0;
  const asked = () =>
    stripVTControlCharacters(screen)
      .split('\n')
      .filter((line) => line.includes(mark(questions))).length > 0;
  // The shell says that it is ready for more by running what stands behind what was pasted.
  const mark = (n: number) => `ANSWERS-${n + 1000}`;
  const ask = () => {
    questions += 1;
    child.stdin.write(`echo ANSWERS-$((${questions} + 1000))\r`);
  };
  const send = (text: string) => {
    if (as === 'lines' || shell === 'dash') child.stdin.write(text.replaceAll('\n', '\r'));
    else child.stdin.write(`\u001b[200~${text.trimEnd().replaceAll('\n', '\r')}\u001b[201~\r`);
  };
  await until(() => screen.includes(prompt));
  return {
    paste: async (text) => {
      screen = '';
      send(text);
      ask();
      await until(asked);
      return stripVTControlCharacters(screen).replaceAll('\r', '');
    },
    interrupt: async (text, at) => {
      screen = '';
      send(text);
      await until(() => screen.includes(at));
      child.stdin.write('\u0003');
      // What is typed while the terminal handles an interrupt is thrown away.
      await until(() => screen.lastIndexOf(prompt) > screen.lastIndexOf(at));
      ask();
      await until(asked);
      return stripVTControlCharacters(screen).replaceAll('\r', '');
    },
    answer: async (text, at, line) => {
      screen = '';
      send(text);
      await until(() => screen.endsWith(at));
      child.stdin.write(`${line}\r`);
      ask();
      await until(asked);
      return stripVTControlCharacters(screen).replaceAll('\r', '');
    },
    close: async () => {
      child.stdin.write('exit\r');
      child.stdin.end();
      await closed;
    },
  };
}

/** Programs that record how they were called, and fail or hang where told. */
export interface StandIns {
  /** For `PATH`; nothing else of the machine is in it but what every system has. */
  readonly path: string;
  /** Begins again: which call is to go wrong, and how. `1` is the first. */
  readonly reset: (fault?: {
    readonly call: number;
    readonly how: 'fail' | 'hang' | 'hang, and say 1';
  }) => void;
  readonly calls: () => string[];
}

/** @param programs which of them there are */
export function standIns(folder: string, programs: readonly string[], world: StandInWorld): StandIns {
  const bin = join(folder, 'bin');
  const state = join(folder, 'state');
  mkdirSync(bin);
  mkdirSync(state);
  writeFileSync(join(bin, '.stand-in'), standIn(state, world));
  chmodSync(join(bin, '.stand-in'), 0o755);
  // Every dump is one of its own second, however fast they follow each other.
  writeFileSync(
    join(bin, 'date'),
    `#!/bin/sh\necho x >> '${state}/dates'\nwc -l < '${state}/dates' | xargs printf '20261121T%06dZ\\n'\n`,
  );
  chmodSync(join(bin, 'date'), 0o755);
  for (const program of programs) symlinkSync('.stand-in', join(bin, program));
  const reset: StandIns['reset'] = (fault) => {
    for (const name of ['calls', 'count']) writeFileSync(join(state, name), '');
    writeFileSync(join(state, 'fault'), fault === undefined ? '' : `${fault.call} ${fault.how}`);
    writeFileSync(join(state, 'runs'), world.fromVersion);
    writeFileSync(join(state, 'stopped'), '');
  };
  reset();
  return {
    path: `${bin}:/usr/bin:/bin`,
    reset,
    calls: () => readFileSync(join(state, 'calls'), 'utf8').split('\n').slice(0, -1),
  };
}

export interface StandInWorld {
  readonly fromVersion: string;
  readonly toVersion: string;
  /** What runs Lightdash: services, or Deployments. */
  readonly workloads: readonly string[];
  /** The image up to its version, and what follows that. */
  readonly image: readonly [before: string, after: string];
  /** What `docker compose config --images` prints. */
  readonly images: readonly string[];
  /** What kubectl says of the objects that a chart deploys: a line of kind, strategy and images for each. */
  readonly rendered?: string;
  /** What `pg_restore --list` prints. */
  readonly dumped?: string;
}

const dumpOfLightdash = '3456; 0 16412 TABLE DATA public knex_migrations postgres';

function standIn(
  state: string,
  {
    fromVersion,
    toVersion,
    workloads,
    image: [before, after],
    images,
    rendered = images.map((image) => `Deployment  ${image}`).join('\n'),
    dumped = dumpOfLightdash,
  }: StandInWorld,
): string {
  return `#!/bin/sh
# A program more for each word of a call would take most of the time of these tests: the shell alone joins its lines.
newline='
'
name=\${0##*/}
line=$name
for word in "$@"; do
  rest=$word word=
  while case "$rest" in (*"$newline"*) ;; (*) false ;; esac; do
    word="$word\${rest%%"$newline"*} " rest=\${rest#*"$newline"}
  done
  line="$line <$word$rest>"
done
printf '%s\\n' "$line" >> '${state}/calls'
read -r call how < '${state}/fault'
# A letter for each call: a shell reads a file letter by letter, and the calls have thousands.
printf x >> '${state}/count'
read -r letters < '${state}/count'
nth=\${#letters}
if [ "$nth" = "$call" ]; then
  case "$how" in
    (fail) exit 1 ;;
    (hang) echo HANGS; exec sleep 30 ;;
    (*) trap 'exit 1' INT; echo HANGS; while :; do sleep 0.1; done ;;
  esac
fi
read -r runs < '${state}/runs'
stopped=no
[ ! -s '${state}/stopped' ] || stopped=yes
case "$name $*" in
  (curl*)
    [ "$stopped" = no ] || exit 22
    printf 'HTTP/1.1 200 OK\\n\\n'
    case "$*" in
      (*readyz) echo '{"status":"ready"}' ;;
      (*) echo '{"status":"ok","results":{"healthy":true,"version":"'"$runs"'","latest":{"version":"${toVersion}"}}}' ;;
    esac ;;
  (*'config --images'*) printf '%s\\n' ${images.map((image) => `'${image}'`).join(' ')} ;;
  (docker*' config') echo 'name: bi' ;;
  (*' ps --quiet') [ "$stopped" = yes ] || printf '%s\\n' ${workloads.map((name) => `'${name}'`).join(' ')} ;;
  ('docker image inspect'*) exit 1 ;;
  ('docker inspect'*)
    for id in "$@"; do :; done
    echo "$id ${before}$runs${after} []" ;;
  (*'pg_restore --list'*) printf '%s\\n' ';' '${dumped}' ;;
  ('helm version'*) echo v3.17.2 ;;
  ('helm status'*) echo 'STATUS: deployed' ;;
  ('helm template'*) seq 20000 ;;
  (*'SHOW lightspan'*) echo yes ;;
  (*"tablename = 'knex_migrations'"*) echo public.knex_migrations ;;
  (*' migrations, the newest '*) echo '1 migrations, the newest 20260101000000_first.js' ;;
  (*pg_stat_activity*) [ "$stopped" = yes ] || echo '7 lightdash' ;;
  (*string_agg*) ;;
  (*rolsuper*) echo t ;;
  (*psql*) echo 1 ;;
  (*'POSTGRES_DB:-'*) printf postgres ;;
  (*pg_dumpall*) echo 'CREATE ROLE lightdash;' ;;
  (*pg_dump*) echo 'PGDMP of ${fromVersion}' ;;
  (*current-context*) echo 'prod cluster' ;;
  (*'label --local'*) cat > /dev/null; printf '%s\\n' '${rendered}' ;;
  (*'kubectl diff'*) echo '+ a difference'; exit 1 ;;
  (*'get deployment,'*) ;;
  (*'items[*].metadata.name'*) printf '%s' '${workloads.join(' ')}' ;;
  (*'{.metadata.name} {.spec.replicas}'*)
    if [ "$stopped" = yes ]; then echo "$3 0 ${before}$runs${after}"; else echo "$3 1 ${before}$runs${after}"; fi ;;
  (*'{.spec.replicas}'*) if [ "$stopped" = yes ]; then printf 0; else printf 1; fi ;;
  (*go-template*) printf 'app=lightdash,' ;;
  (*--dry-run*) echo 'kind: Secret' ;;
  (*compose*' stop '* | *'--replicas=0'*) echo yes >| '${state}/stopped' ;;
  (*compose*' start '* | 'kubectl scale'*) : >| '${state}/stopped' ;;
  (*'up --detach'* | 'helm upgrade'*) echo ${toVersion} >| '${state}/runs'; : >| '${state}/stopped' ;;
esac
`;
}
