export const parallelism = 16;

/**
 * Runs `task` for every item, `parallelism` at a time, started in order.
 *
 * @returns the results, in the order of the items
 */
export async function inParallel<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let failed = false;
  const work = async () => {
    for (const [i, item] of waiting) {
      if (failed) return;
      try {
        results[i] = await task(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelism, items.length) }, work));
  return results;
}
