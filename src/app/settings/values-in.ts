type SettingValue = string | number | string[];

/**
 * The settings as pairs of key and value. A key inside a map has its full name, such as `helm.values`; unset keys are
 * left out.
 */
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
