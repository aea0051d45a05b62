'use strict'

// Each example, started as a program while another one has its port. What each
// of them does is tested in test/examples.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { runExample } = require('../../support/example')

const EXAMPLES = path.join(__dirname, '../../../examples')
const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined // Node 22.13

describe('examples/, as programs', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'examples-'))
  const other = net.createServer()
  let env

  before(async () => {
    await once(other.listen(0), 'listening')
    env = { PORT: String(other.address().port), UPLOADS: folder, WORKERS: '1' }
  })

  after(() => {
    other.close()
    fs.rmSync(folder, { recursive: true })
  })

  // they use packages that are not in the clone's own folder, or a newer Node.js
  const skipped = ['opentelemetry.js', 's3.js', ...hasSqlite ? [] : ['bulk-insert.js', 'json-import.js']]
  for (const name of fs.readdirSync(EXAMPLES).filter((name) => !skipped.includes(name))) {
    it(`${name} says that its port is in use`, async () => {
      const { status, stdout, stderr } = await runExample(name, env)
      assert.match(stderr, /(listen|bind) EADDRINUSE/)
      assert.deepEqual([status, stdout], [1, ''])
    })
  }

  it('bulk-insert.js says which Node.js it needs', async function () {
    if (hasSqlite) this.skip()
    const { status, stderr } = await runExample('bulk-insert.js', env)
    assert.match(stderr, /^Error: bulk-insert.js needs Node.js 22.13 or newer/m)
    assert.equal(status, 1)
  })
})
