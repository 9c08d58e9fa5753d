export const parallelism = 16;

/** Runs `task` for every item, `parallelism` at a time, started in order. */
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
