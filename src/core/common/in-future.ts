/** How far the clock of whoever wrote a date may be ahead of this machine's. */
const clockSkewMs = 5 * 60_000;

/** Whether a date lies in the future, by more than two clocks may differ. */
export function isInFuture(date: string, now: Date): boolean {
  return !(Date.parse(date) - now.getTime() <= clockSkewMs);
}
