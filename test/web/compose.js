'use strict'

// A file that the table of options names for /web as well may change only what /web has.

const assert = require('node:assert/strict')
const rows = require('../../lib/options/table')
const { json } = require('../../lib/web')

/** A parser of JSON with another option, whose file changes the parser like this. */
function createParser (extension) {
  rows.push({ __proto__: null, name: 'other', parsers: ['json'], read: (value) => value ?? null, load: () => extension })
  try {
    return json({ other: true, strict: false })
  } finally {
    rows.pop()
  }
}

const request = (body) => new Request('http://localhost/', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
const stage = (proceed) => proceed

describe('an option whose file is loaded for fast-body-parser/web', () => {
  it('may change parse', async () => {
    const parser = createParser((parser) => ({ ...parser, parse: (text) => [parser.parse(text)] }))
    assert.deepEqual(await parser(request('5')), [5])
  })

  it('may give the body of a request without content, and do the same in a stage', async () => {
    const parser = createParser((parser) => ({ ...parser, emptyBody: () => 'none', skip: [...parser.skip, stage] }))
    assert.equal(await parser(request(undefined)), 'none')
  })

  for (const [field, extension] of Object.entries({
    before: (parser) => ({ ...parser, before: [stage, ...parser.before] }),
    after: (parser) => ({ ...parser, after: [...parser.after, stage] }),
    skip: (parser) => ({ ...parser, skip: [...parser.skip, stage] }),
    wrap: (parser) => ({ ...parser, wrap: (middleware) => middleware }),
    createGuard: (parser) => ({ ...parser, createGuard: () => null })
  })) {
    it(`is a TypeError if it changes ${field}, which only the middleware has`, () => {
      assert.throws(() => createParser(extension), {
        name: 'TypeError',
        message: `an option of json changes ${field}, which fast-body-parser/web does not have`
      })
    })
  }
})
