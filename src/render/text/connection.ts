import { printable } from '../printable.js';

/** A setting and where it was found. */
export interface Setting {
  readonly value: string;
  readonly where: string;
}

/** Which connection is used, for `--verbose`. The token is already masked. */
export function renderConnection({
  url,
  project,
  token,
}: {
  readonly url: Setting;
  readonly project: Setting | undefined;
  readonly token: Setting | undefined;
}): string {
  const line = (name: string, setting: Setting | undefined) =>
    setting === undefined ? [] : [`${name}: ${printable(setting.value)} (from ${printable(setting.where)})`];
  return [...line('Instance', url), ...line('Project', project), ...line('Token', token), ''].join('\n');
}
