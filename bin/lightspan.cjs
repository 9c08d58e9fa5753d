#!/usr/bin/env node
'use strict';

require('node:module').enableCompileCache?.();
require('../dist/program/main.cjs').main(process.argv.slice(2));
