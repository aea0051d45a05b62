#!/usr/bin/env node
'use strict'

// The program of fast-body-parser, for package managers that run those of direct dependencies alone.

const path = require('node:path')

require(path.join(path.dirname(require.resolve('fast-body-parser/package.json')), 'bin/doctor.js'))
