'use strict'

// Each example, started as a program while another one has its port. What each
// of them does is tested in the files beside this one.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { runExample } = require('../support/example')

const EXAMPLES = path.join(__dirname, '../../examples')
const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined // Node 22.13
const AWS = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_EC2_METADATA_DISABLED: 'true' }
const NO_FILES = { AWS_CONFIG_FILE: os.devNull, AWS_SHARED_CREDENTIALS_FILE: os.devNull }

describe('examples/, as programs', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'examples-'))
  const other = net.createServer()
  let env

  before(async () => {
    await once(other.listen(0), 'listening')
    env = { ...AWS, NODE_V8_COVERAGE: '', PORT: String(other.address().port), UPLOADS: folder, WORKERS: '1' }
  })

  after(() => {
    other.close()
    fs.rmSync(folder, { recursive: true })
  })

  for (const name of fs.readdirSync(EXAMPLES).filter((name) => hasSqlite || name !== 'bulk-insert.js')) {
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

  for (const name of ['AWS_REGION', 'AWS_SECRET_ACCESS_KEY']) {
    it(`s3.js names its settings without ${name}`, async () => {
      const { status, stderr } = await runExample('s3.js', { ...env, ...NO_FILES, [name]: '' })
      assert.match(stderr, /: set AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and BUCKET/)
      assert.equal(status, 1)
    })
  }
})
