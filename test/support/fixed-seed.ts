import fc from 'fast-check';
import { oneSeed } from './property-runs.js';

fc.configureGlobal({ seed: oneSeed });
