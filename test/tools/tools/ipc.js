'use strict'

const assert = require('node:assert/strict')
const path = require('node:path')
const { afterEach, beforeEach, describe, it } = require('mocha')
const { IpcProcess } = require('../../../tools/ipc')

const PATIENCE = 10_000 // ms

describe('tools/ipc', () => {
  let child

  beforeEach(async () => {
    child = new IpcProcess('the child', [process.execPath, path.join(__dirname, 'support/ipc-child.js')], __dirname)
    assert.equal((await child.ready(PATIENCE)).pid, child.child.pid)
  })

  afterEach(() => child.close())

  it('has its commands answered', async () => {
    assert.deepEqual(await child.ask('double', { number: 4 }, PATIENCE), { number: 8 })
  })

  it('reports why a command failed, and accepts no more commands', async () => {
    await assert.rejects(child.ask('refuse', {}, PATIENCE), /^Error: the child: cannot do that$/)
    await assert.rejects(child.ask('double', { number: 1 }, PATIENCE), /cannot do that/)
  })

  it('tells the error that the process died of', async () => {
    await child.ask('crash', {}, PATIENCE)
    await assert.rejects(child.died, /^Error: the child: died \(status 1\): TypeError: out of order$/)
  })

  it('gives up a command that is not answered in time', async () => {
    await assert.rejects(child.ask('hang', {}, 50), /^Error: the child: gave no answer within 0\.05 s$/)
  })
})
