import fc from 'fast-check';

/** One seed for every property: for runs that are compared with each other. */
fc.configureGlobal({ seed: 20_260_906 });
