'use strict'

// node tools/at-once.js SCRIPT...: runs scripts of package.json at the same time, and prints what each has printed once
// it has ended. Fails if one of them does.

const { exec } = require('node:child_process')

for (const script of process.argv.slice(2)) {
  exec(`npm run ${script}`, { maxBuffer: Infinity }, (error, stdout, stderr) => {
    process.stdout.write(stdout)
    process.stderr.write(stderr)
    if (error !== null) process.exitCode = 1
  })
}
