/** The progress of a task of many parts, as a bar. */
export function renderProgress(what: string, done: number, total: number): string {
  const width = 24;
  const filled = total === 0 ? width : Math.floor((done * width) / total);
  return `${what} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}`;
}
