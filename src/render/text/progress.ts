/** A line that says how far a longer work is, written over the one before it. */
export function renderProgress(what: string, done: number, total: number): string {
  const width = 24;
  const filled = total === 0 ? width : Math.floor((done * width) / total);
  return `\r\u001B[K${what} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}`;
}

/** Takes the line away. */
export const clearProgress = '\r\u001B[K';
