/** Makes what the projects of a run share, each of which loads its set-up anew: the first does. */
export function once(name: string, make: () => void): void {
  const run = String(process.pid);
  if (process.env[name] === run) return;
  make();
  process.env[name] = run;
}
