import { argvOfInputs } from './action-inputs.js';
import { main } from './main.js';

/** The GitHub action of action.yml: the command of its mode, with the inputs of the step. */
argvOfInputs(process.env).then(main);
