'use strict'

// What each example prints is a script of curl lines: it is run as it is.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { requireCurl } = require('../support/program')
const { ROOT, createFolder, remove, run } = require('../support/project')

const SHOWS_ERRORS = 'problem-details.js' // of every kind
// Other rooms have what these need: engines/s3-example.js, frameworks/streamed-uploads.js.
const skipped = ['s3.js', 'graphql-upload.js', 'nest-stream.js']
if (process.getBuiltinModule?.('node:sqlite') === undefined) skipped.push('bulk-insert.js', 'json-import.js')
const NODE_PATH = path.join(ROOT, 'test/integration/node_modules') // of what opentelemetry.js uses
const names = fs.readdirSync(path.join(ROOT, 'examples')).filter((name) => !skipped.includes(name))

/** Starts an example; gives what it prints. */
async function start (name, folder) {
  const env = { ...process.env, NODE_PATH, PORT: '0', UPLOADS: folder, WORKERS: '2' }
  const child = spawn(process.execPath, [path.join('examples', name)],
    { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await once(child.stdout.setEncoding('utf8'), 'data') // one call of console.log
  child.stdout.resume() // what it prints later
  return { child, output }
}

describe('the lines that examples print', () => {
  let folder

  before(requireCurl)

  before(() => {
    folder = createFolder()
  })

  after(() => remove(folder))

  for (const name of names) {
    it(`work: ${name}`, async () => {
      const { child, output } = await start(name, folder)
      try {
        const script = output.replace(/^(Listening on|open) .*(try:\n|or: )/, '').replaceAll('curl ',
          'curl -sS -w "\\n%{http_code}\\n" ')
        const { stdout } = await run('bash', ['-c', script], { cwd: ROOT })
        const statuses = stdout.match(/^\d{3}$/gm)
        assert.equal(statuses?.length, script.match(/\bcurl\b/g).length, stdout)
        if (name === SHOWS_ERRORS) return
        assert.ok(!statuses.some((status) => ['404', '500'].includes(status)), stdout)
        assert.ok(Number(statuses[0]) < 300, stdout) // the first line shows what the example is for
      } finally {
        child.kill()
      }
    })
  }
})
