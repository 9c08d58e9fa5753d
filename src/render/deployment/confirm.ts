import { orFail, shellWord } from '../shell-word.js';

/** The running instance, if its address is known, and whether plain http to it is allowed. */
export interface KnownInstance {
  readonly url: string;
  readonly allowHttp: boolean;
}

/** The commands that continue only if the instance reports a version. */
export function confirmNowCommands(version: string, instance: KnownInstance | undefined): string[] {
  return [
    orFail(
      asksVersion(version, instance),
      `Lightdash does not report ${version}, the version that this hop starts from`,
    ),
  ];
}

/** The commands that wait until the instance reports a version. */
export function confirmInTimeCommands(version: string, instance: KnownInstance | undefined): string[] {
  return [
    [
      'if command -v lightspan > /dev/null; then',
      `  lightspan upgrade-verify --instance ${instance === undefined ? `"\${LIGHTDASH_URL:?}"` : shellWord(instance.url)} \\`,
      `    --version ${version} --window 24h${instance?.allowHttp === true ? ' --allow-http' : ''}`,
      'else',
      `  until ${asksVersion(version, instance)}; do`,
      "    printf '%s\\n' 'Not yet; trying again in 10 seconds'",
      '    sleep 10',
      '  done',
      'fi',
    ].join('\n'),
  ];
}

/** The answer also contains the newest existing release, which is not the running one. */
function asksVersion(version: string, instance: KnownInstance | undefined): string {
  const url =
    instance === undefined
      ? `"\${LIGHTDASH_URL%/}/api/v1/health"`
      : shellWord(`${instance.url.replace(/\/+$/, '')}/api/v1/health`);
  return `curl --fail --silent --show-error --max-time 30 ${url} |\n  sed 's/"latest":{[^}]*}//g' | grep -F '"version":"${version}"' > /dev/null`;
}
