'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('mocha')
const { isInstalled } = require('../../../tools/npm')
const { createFolder } = require('../../../tools/atomic-write')

describe('tools/atomic-write', () => {
  let root
  let folder
  let made

  before(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'tools-atomic-'))
    folder = path.join(root, 'target')
    made = 0
  })

  after(() => fs.rmSync(root, { recursive: true }))

  it('makes a folder once, and anew when it is damaged', async () => {
    await make()
    await make()
    assert.equal(made, 1)
    for (const damage of ['node_modules/qs', 'node_modules/.package-lock.json', 'node_modules']) {
      fs.rmSync(path.join(folder, damage), { recursive: true })
      assert.equal(isInstalled(folder), false)
      await make()
      assert.equal(isInstalled(folder), true)
    }
    assert.equal(made, 4)
    assert.deepEqual(fs.readdirSync(root), ['target'])
  })

  it('leaves nothing of a folder that could not be made', async () => {
    const other = path.join(root, 'other')
    await assert.rejects(createFolder(other, async () => { throw new Error('no') }, isInstalled), /no/)
    assert.deepEqual(fs.readdirSync(root), ['target'])
  })

  function make () {
    return createFolder(folder, async (draft) => {
      made++
      fs.mkdirSync(path.join(draft, 'node_modules/qs'), { recursive: true })
      fs.writeFileSync(path.join(draft, 'node_modules/qs/package.json'), '{}')
      fs.writeFileSync(path.join(draft, 'node_modules/.package-lock.json'), '{"packages":{"node_modules/qs":{}}}')
    }, isInstalled)
  }
})
