'use strict'

// The types that comments of lib/ import. ESLint sees those of the same file (eslint.config.mjs).

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const filesIn = require('../../tools/files-in')

const LIB = path.join(__dirname, '../../lib')
const EXPORT = /^(?:export =|module\.exports = (?:class|function|\w+$))/m
const IMPORT = /import\('([^']+)'\)(?:\.(\w+))?/g

/** A type, a class, a function or a property that a file declares. */
const declares = (text, name) => new RegExp([
  `@(?:callback |typedef (?:\\{[^@]*\\} )?)${name}\\b`,
  `^(?:class |function |const |const \\{[^}]*\\b)${name}\\b`,
  `\\b(?:interface|type) ${name}\\b|^ +${name}: `
].join('|'), 'm').test(text)

/** @returns {boolean} whether `import(id)`, or the type of this name in it, exists */
function exists (file, id, type) {
  if (!id.startsWith('.')) return type === undefined || require(id)[type] !== undefined
  const place = path.join(path.dirname(file), id)
  const found = ['.d.ts', '/index.d.ts', '.js', '/index.js'].find((end) => fs.existsSync(place + end))
  if (found === undefined) return false
  const text = fs.readFileSync(place + found, 'utf8')
  return type === undefined ? EXPORT.test(text) : declares(text, type)
}

describe('comments of lib/', () => {
  it('import types that exist', () => {
    const missing = filesIn(LIB).filter((name) => name.endsWith('.js')).flatMap((name) => {
      const file = path.join(LIB, name)
      return Array.from(fs.readFileSync(file, 'utf8').matchAll(IMPORT))
        .filter(([, id, type]) => !exists(file, id, type))
        .map(([reference]) => `${name}: ${reference}`)
    })
    assert.deepEqual(missing, [])
  })
})
