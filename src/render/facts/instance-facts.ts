import type { InstanceState } from '../../instance-state.js';
import type { Fact } from './fact.js';

/** What an instance was seen to be at one poll. */
export const instanceStateFacts: Record<InstanceState['kind'], Fact> = {
  ready: {
    meaning: 'The instance is ready and says which release it serves. That may be another than was deployed.',
    toDo: 'Where it serves another, look whether the new pods were started, and from which tag. Where it serves the right one, wait longer with --window: it must do so several times in a row.',
  },
  'not-ready': {
    meaning:
      'The instance does not say that it is ready. It may give a reason, such as migrations that still run.',
    toDo: 'Wait longer with --window, look at the logs of the migrations, or check the address where a page answered.',
  },
  'unknown-version': {
    meaning: 'The instance is ready and does not tell which release it serves.',
    toDo: 'Check that the image is a release and no build of your own, and that the address is that of Lightdash itself.',
  },
  unreachable: {
    meaning: 'No answer came from the instance. The message says why.',
    toDo: 'Check the address, and whether any pod is running.',
  },
};
