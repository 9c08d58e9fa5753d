#!/usr/bin/env node
import module from 'node:module';

module.enableCompileCache?.();
const { main } = await import('../dist/main.js');
await main(['upgrade-check', ...process.argv.slice(2)]);
