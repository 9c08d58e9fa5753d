import type { FactOf } from './check.js';

/** The tables of these names that are there, with their partitions, which hold the rows. */
export function withPartitions(names: Iterable<string>, tables: FactOf<'tables'>): FactOf<'tables'> {
  const wanted = new Set(names);
  // A partition may have partitions of its own: names join until none is new.
  for (let before = -1; before < wanted.size; ) {
    before = wanted.size;
    for (const { name: part, partitionOf } of tables) {
      if (partitionOf !== null && wanted.has(partitionOf)) wanted.add(part);
    }
  }
  return tables.filter((table) => wanted.has(table.name));
}
