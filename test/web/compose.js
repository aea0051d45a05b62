'use strict'

// An option that /web has as well may change only what /web has.

const assert = require('node:assert/strict')
const { readOptions } = require('../../lib/options/read-options')
const { ROWS: rows } = require('../../lib/options/table')
const VALUES = require('../support/option-values')

/** A parser that is being composed, with the fields that options of the middleware change. */
const PLAIN = {
  after: [],
  before: [],
  charsets: null,
  createGuards: null,
  createReader: null,
  findCoding: null,
  input: 'text',
  isAsync: false,
  keepsBytes: false,
  parse: String,
  parseStage: null,
  skip: [],
  wrap: String
}

describe('an option that fast-body-parser/web has, too,', () => {
  for (const { name, parsers, load } of rows.filter(({ load, web }) => load !== undefined && web === undefined)) {
    for (const parser of parsers) {
      it(`changes only what /web has: ${name} of ${parser}`, () => {
        assert.ok(name in VALUES, 'support/option-values.js has a value of it')
        const settings = readOptions(parser, { ...parser === 'urlencoded' && { extended: true }, [name]: VALUES[name] })
        const changed = load()(PLAIN, settings)
        const fields = Object.keys(changed).filter((key) => changed[key] !== PLAIN[key]).sort()
        assert.ok(fields.includes(name === 'schema' ? 'validate' : 'parse'))
        // `emptyBody` does there what the stage of `skip` does.
        const others = fields.filter((key) => !['charsets', 'isAsync', 'parse', 'validate'].includes(key))
        assert.deepEqual(others, name === 'empty' ? ['emptyBody', 'skip'] : [])
      })
    }
  }
})
