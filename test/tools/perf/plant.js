'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const vm = require('node:vm')
const { after, before, describe, it } = require('mocha')
const { PLACES, copyWith } = require('../../../perf/plant')

const ROOT = path.join(__dirname, '../../..')

describe('perf/plant', () => {
  let folder
  const pathOf = (app, file) => path.join(app, 'node_modules', file)

  before(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'plant-')), 'app')
    for (const { file } of Object.values(PLACES)) {
      const ours = file.replace(/^body-parser\//, '')
      const source = path.join(ROOT, ours === file ? 'node_modules' : '', ours)
      fs.cpSync(source, pathOf(folder, file), { recursive: true })
    }
  })

  after(() => fs.rmSync(path.dirname(folder), { recursive: true }))

  for (const [place, { file }] of Object.entries(PLACES)) {
    it(`plants a loop in ${place} of a copy, in the line that it had`, () => {
      const copy = copyWith(place, 7, folder)
      const text = fs.readFileSync(pathOf(copy, file), 'utf8')
      const original = fs.readFileSync(pathOf(folder, file), 'utf8')
      assert.equal(text.split('i < 7;').length, 2)
      assert.equal(text.split('\n').length, original.split('\n').length)
      assert.doesNotThrow(() => new vm.Script(`(function (require, module) {${text}\n})`))
    })
  }

  it('refuses a package that has no such function', () => {
    fs.writeFileSync(pathOf(folder, PLACES['a getter'].file), 'class Other {}')
    assert.throws(() => copyWith('a getter', 7, folder), { message: /exchange\.js has no "class Exchange/ })
  })
})
