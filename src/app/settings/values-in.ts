export type SettingValue = string | number | string[];

/** A value a key, where those inside of a map have their whole name, such as `helm.values`. What is not set is left out. */
export function valuesIn(settings: object, around = ''): (readonly [key: string, value: SettingValue])[] {
  return Object.entries(settings).flatMap(
    ([key, inner]: readonly [string, SettingValue | object | undefined]) => {
      if (inner === undefined) return [];
      return typeof inner === 'object' && !Array.isArray(inner)
        ? valuesIn(inner, `${around}${key}.`)
        : [[`${around}${key}`, inner] as const];
    },
  );
}
