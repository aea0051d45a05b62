'use strict'

// What is said when npm fails.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('mocha')
const { pack } = require('../../../tools/npm')

describe('tools/npm', () => {
  const { npm_config_loglevel: loglevel } = process.env
  let folder

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'npm-'))
  })

  after(() => {
    fs.rmSync(folder, { recursive: true })
    if (loglevel === undefined) delete process.env.npm_config_loglevel
    else process.env.npm_config_loglevel = loglevel
  })

  it('says why npm failed, also under `npm run -s`', async () => {
    process.env.npm_config_loglevel = 'silent' // as `npm run -s` has it
    fs.writeFileSync(path.join(folder, 'package.json'), '{')
    await assert.rejects(pack(folder, folder, folder),
      { message: /^cannot get .*: JSON\.parse Invalid package\.json: / })
  })

  it('says that a folder is not a package', async () => {
    const missing = path.join(folder, 'missing')
    await assert.rejects(pack(missing, folder, folder),
      { message: /^cannot get .*: enoent Could not read package\.json: / })
  })
})
