/** For `--require-rolling` with docker compose: the releases may roll, but compose stops the old container first. */
export const neverRolls = {
  reason: 'docker compose never rolls, every step is with downtime: leave out --require-rolling',
  next: 'plan without --require-rolling: each step is then one with downtime.',
} as const;

/** What the preflight of a compose project does, whose database may be reached only from inside. */
export const lookingIntoProject =
  'it prints the line that reads a database inside compose; for another, add --database env';
