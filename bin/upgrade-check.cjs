#!/usr/bin/env node
'use strict';

require('node:module').enableCompileCache?.();
require('../dist/program/main.cjs').main(['upgrade-check', ...process.argv.slice(2)]);
