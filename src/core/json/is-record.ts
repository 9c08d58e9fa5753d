/** What lossless-json marks its numbers with, in every copy of it: nobody who asks for an object needs the library. */
const exactNumberMark = Symbol.for('lossless-json.LosslessNumber');

/** Whether a value is a JSON object: not an array, not a number (an `ExactNumber` neither), and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(exactNumberMark in value);
}
