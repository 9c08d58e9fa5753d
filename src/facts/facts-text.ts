/** A facts file, or an object of the same form. */
interface FactsLike {
  readonly schemaVersion: string;
  readonly collectedAt: string;
  readonly facts: object;
}

/** The text of a facts file: one line per fact, so that people can compare two of them. */
export function factsText({ schemaVersion, collectedAt, facts }: FactsLike): string {
  const head = JSON.stringify({ schemaVersion, collectedAt }).slice(0, -1);
  const lines = Object.entries(facts).map(
    ([name, fact]) => `${JSON.stringify(name)}:${JSON.stringify(fact)}`,
  );
  return `${head},"facts":{\n${lines.join(',\n')}\n}}\n`;
}
