import { main } from '../src/launch/main.js';

await main(process.argv.slice(2));
