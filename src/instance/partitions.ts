import type { FactOf } from '../facts/needs.js';

/** The existing tables of these names, with their partitions, which contain the rows. */
export function withPartitions(names: Iterable<string>, tables: FactOf<'tables'>): FactOf<'tables'> {
  const wanted = new Set(names);
  // Partitions may have partitions: repeat until no name is new.
  for (let before = -1; before < wanted.size; ) {
    before = wanted.size;
    for (const { name: part, partitionOf } of tables) {
      if (partitionOf !== null && wanted.has(partitionOf)) wanted.add(part);
    }
  }
  return tables.filter((table) => wanted.has(table.name));
}
