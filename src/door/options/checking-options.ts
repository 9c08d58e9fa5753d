import { optionSettings } from '../../question/option-settings.js';
import type { OptionTable } from '../declare.js';
import { readByteCount, readList } from '../readers.js';

/** Which checks judge an instance, and by what of its machine. */
export const checking = {
  diskFree: {
    flags: '--disk-free <size>',
    group: 'evidence',
    rare: true,
    description: 'free space on the database disk, such as 40GiB',
    read: readByteCount,
    setting: optionSettings.diskFree,
  },
  only: {
    flags: '--only <checks>',
    group: 'question',
    rare: true,
    description:
      'run only these checks, or all of the database or deployment, separated by commas, such as ledger,disk-space',
    read: readList,
  },
} as const satisfies OptionTable;
