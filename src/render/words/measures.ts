/** A number of seconds in its largest fitting unit: `75 s`, `5 min`, `26 h`, `3 days`. */
export function describeSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** A number of milliseconds, of which whole seconds are told as such: `500 ms`, `30 s`. */
export function describeMilliseconds(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? describeSeconds(milliseconds / 1000) : `${milliseconds} ms`;
}

/** A number of bytes, in binary units: `512 bytes`, `3.4 GiB`. */
export function describeBytes(bytes: number): string {
  let amount = bytes;
  let unit = 'bytes';
  for (const next of ['KiB', 'MiB', 'GiB', 'TiB']) {
    if (amount < 1024) break;
    amount /= 1024;
    unit = next;
  }
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${unit}`;
}
