'use strict'

// node tools/each-file.js: runs each file of the tests of `npm run test:unit` in a process of its own, and prints what
// those print that fail. Fails if one does.

const { execFile } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const filesIn = require('./files-in')
const { MOCHA, SUITE } = require('./test-suite')

const ROOT = path.join(__dirname, '..')
const FILE_TIME = 300_000 // ms

/** The files of an argument of mocha: a folder, or all of a folder by `*.js`. */
function filesOf (argument) {
  const folder = argument.endsWith('*.js') ? path.dirname(argument) : argument
  const names = folder === argument ? filesIn(path.join(ROOT, folder)) : fs.readdirSync(path.join(ROOT, folder))
  return names.map((name) => path.join(folder, name))
}

const isTest = (file) => file.endsWith('.js') && !file.split(path.sep).includes('support')
const files = SUITE.filter((argument) => argument.startsWith('test/')).flatMap(filesOf).filter(isTest)
let count = 0

async function work () {
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    count++
    await new Promise((resolve) => {
      const options = { cwd: ROOT, timeout: FILE_TIME, killSignal: 'SIGKILL', maxBuffer: Infinity }
      execFile(process.execPath, [MOCHA, file], options, (error, stdout, stderr) => {
        if (error !== null) {
          console.log(`== ${file}\n${stdout}${stderr}`)
          process.exitCode = 1
        }
        resolve()
      })
    })
  }
}

Promise.all(Array.from({ length: os.availableParallelism() }, work)).then(() => console.log(`${count} files`))
