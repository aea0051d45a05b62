#!/usr/bin/env node
'use strict'

// npx fast-body-parser: which body-parser and multer the frameworks of a project get, and the lines that change it.

const { printable, run } = require('./doctor/run')

process.removeAllListeners('warning') // Node.js 22 warns that its patterns of paths are experimental

try {
  const { status, text } = run(process.argv.slice(2), process.cwd(), { print: (text) => process.stdout.write(text) })
  process.stdout.write(text)
  process.exitCode = status
} catch (error) {
  process.stderr.write(`fast-body-parser: ${printable(error.message.split('. ')[0])}\n`)
  process.exitCode = 2
}
