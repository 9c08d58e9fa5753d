import { accessSync, constants } from 'node:fs';

/** Whether something can be written at a path of the checkout: what is not there yet can be made. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
