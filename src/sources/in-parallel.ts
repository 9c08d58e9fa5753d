/** How many files or requests are under way at the same time. */
export const parallelism = 8;

/**
 * Does `task` for every item, `parallelism` at a time, in order of beginning.
 *
 * @throws what the first task that failed threw; no further one is begun then
 */
export async function inParallel<T>(items: readonly T[], task: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  let failed = false;
  const work = async () => {
    for (const item of waiting) {
      if (failed) return;
      try {
        await task(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelism, items.length) }, work));
}
