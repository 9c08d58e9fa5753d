/**
 * The variables that switch something on or off, and whose value a check reads. They are no secrets: of each it is
 * recorded whether it is `true` or `false`, and nothing else. Of no other variable is any value recorded.
 */
export const switchNames = ['NATS_ENABLED', 'PRE_AGGREGATES_ENABLED'] as const;

export type SwitchName = (typeof switchNames)[number];

/** The switches that are plainly on or off. */
export type Switches = { [Name in SwitchName]?: boolean | undefined };

export function isSwitch(name: string): name is SwitchName {
  return (switchNames as readonly string[]).includes(name);
}

/** Undefined for a value that is neither `true` nor `false`. */
export function readSwitch(value: unknown): boolean | undefined {
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

/** The switches among variables that were read; undefined if there are none. */
export function switchesAmong(
  variables: Iterable<readonly [name: string, on: boolean | undefined]>,
): Switches | undefined {
  const read = [...variables].filter(([name, on]) => isSwitch(name) && on !== undefined);
  return read.length === 0 ? undefined : Object.fromEntries(read);
}
