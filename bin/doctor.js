#!/usr/bin/env node
'use strict'

// npx fast-body-parser: which body-parser and which multer the frameworks of a project get.

const run = require('./doctor/run')

try {
  const { status, text } = run(process.argv.slice(2), process.cwd())
  process.stdout.write(text)
  process.exitCode = status
} catch (error) {
  process.stderr.write(`fast-body-parser: ${error.message.split('. ')[0]}\n`)
  process.exitCode = 2
}
