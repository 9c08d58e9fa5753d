/** A facts file, or what is to be read as one. */
interface FactsLike {
  readonly schemaVersion: string;
  readonly collectedAt: string;
  readonly facts: object;
}

/** A facts file as it is written: a line for each fact, so that two of them can be compared by eye. */
export function factsText({ schemaVersion, collectedAt, facts }: FactsLike): string {
  const head = JSON.stringify({ schemaVersion, collectedAt }).slice(0, -1);
  const lines = Object.entries(facts).map(
    ([name, fact]) => `${JSON.stringify(name)}:${JSON.stringify(fact)}`,
  );
  return `${head},"facts":{\n${lines.join(',\n')}\n}}\n`;
}
