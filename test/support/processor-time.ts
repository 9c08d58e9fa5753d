/**
 * Seconds of processor time that a work takes: the least of three, because what the process does beside it, above all
 * collecting the garbage of the tests before, counts too.
 */
export function processorSeconds(work: () => void): number {
  const rounds = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1e6;
  });
  return Math.min(...rounds);
}
