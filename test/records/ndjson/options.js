'use strict'

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const { ndjson } = require('../../../')
const web = require('../../../lib/web')

describe('options of ndjson', () => {
  // [options, message]
  const wrong = [
    [{ verify () {} }, 'option verify cannot be combined with ndjson, which never has the whole body'],
    [{ limit: 'x' }, 'option limit "x" is invalid'],
    [{ record: 'big' }, 'option record "big" is invalid'],
    [{ max: '5' }, 'option max must be zero, a positive integer or Infinity'],
    [{ onError: 'collect', maxErrors: -1 }, 'option maxErrors must be zero, a positive integer or Infinity'],
    [{ maxErrors: 5 }, "option maxErrors needs onError: 'collect'"],
    [{ onError: 'skip' }, "option onError must be 'stop' or 'collect'"],
    [{ onProtoPoisoning: 'error', reviver () {} }, 'option reviver cannot be combined with onProtoPoisoning'],
    [{ recrod: 5 }, 'option recrod is unknown to ndjson: did you mean record?'],
    [{ defaultCharset: 'latin1' },
      /^option defaultCharset is unknown to ndjson: it belongs to json, text, urlencoded, multipart; ndjson takes /]
  ]
  for (const [options, message] of wrong) {
    it(`refuses ${inspect(options)}`, () => {
      for (const create of [ndjson, web.ndjson]) assert.throws(() => create(options), { name: 'TypeError', message })
    })
  }

  it('may all be left out, or be undefined', () => {
    for (const options of [undefined, null, {},
      { limit: undefined, record: null, max: undefined, onError: undefined, schema: null }]) {
      assert.equal(ndjson(options).name, 'ndjsonParser')
    }
  })
})
