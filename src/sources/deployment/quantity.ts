import { isExactNumber } from '../../shared/exact-json.js';

const units: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A Kubernetes quantity, such as `2Gi`, `1.5G`, `1e9` or a number; undefined for anything else. Rounded up. */
export function readQuantity(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && !isExactNumber(value)) return undefined;
  const [, number, exponent = '', unit = ''] =
    /^\+?(\d+(?:\.\d*)?|\.\d+)(?:([eE][-+]?\d{1,2})|([numkMGTPE]|[KMGTPE]i))?$/.exec(String(value)) ?? [];
  if (number === undefined) return undefined;
  const amount = Math.ceil(Number(`${number}${exponent}`) * (units[unit] ?? Number.NaN));
  return Number.isSafeInteger(amount) ? amount : undefined;
}
