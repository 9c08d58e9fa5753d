import { main } from '../src/main.js';

await main(process.argv.slice(2));
