'use strict'

const assert = require('node:assert/strict')
const path = require('node:path')
const { afterEach, describe, it } = require('mocha')
const { pack } = require('../../../tools/npm')

describe('tools/npm', () => {
  const { npm_config_loglevel: loglevel = 'notice' } = process.env
  afterEach(() => { process.env.npm_config_loglevel = loglevel })

  it('says why npm failed, also under `npm run -s`', async () => {
    process.env.npm_config_loglevel = 'silent' // as `npm run -s` has it
    await assert.rejects(pack(path.join(__dirname, 'missing'), __dirname, __dirname),
      { message: /^cannot get .*: enoent Could not read package\.json: / })
  })
})
