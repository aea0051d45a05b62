'use strict'

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const { ndjson } = require('../../../')
const web = require('../../../lib/web')

describe('options of ndjson', () => {
  // [options, message]
  const wrong = [
    [{ verify () {} }, 'option verify cannot be combined with ndjson, which never has the whole body'],
    [{ rawBody: true }, 'option rawBody cannot be combined with ndjson, which never has the whole body'],
    [{ parse () {} }, 'option parse cannot be combined with ndjson, which never has the whole body'],
    [{ limit: 'x' }, 'option limit "x" is invalid'],
    [{ record: -1 }, 'option record "-1" is invalid'],
    [{ record: 'big' }, 'option record "big" is invalid'],
    [{ max: '5' }, 'option max must be zero, a positive integer or Infinity'],
    [{ max: -1 }, 'option max must be zero, a positive integer or Infinity'],
    [{ onError: 'collect', maxErrors: -1 }, 'option maxErrors must be zero, a positive integer or Infinity'],
    [{ maxErrors: 5 }, "option maxErrors needs onError: 'collect'"],
    [{ onError: 'skip' }, "option onError must be 'stop' or 'collect'"],
    [{ schema: {} }, 'option schema must be a Standard Schema, as zod, valibot and arktype make them'],
    [{ depth: -1 }, 'option depth must be zero, a positive integer or Infinity'],
    [{ onProtoPoisoning: 'error', reviver () {} }, 'option reviver cannot be combined with onProtoPoisoning'],
    [{ maxRecords: 5 }, 'option maxRecords is unknown to ndjson: here it is max'],
    [{ maxLength: 5 }, 'option maxLength is unknown to ndjson: here it is record'],
    [{ skipOverflow: true }, "option skipOverflow is unknown to ndjson: here it is onError: 'collect'"],
    [{ recrod: 5 }, 'option recrod is unknown to ndjson: did you mean record?'],
    [{ defaultCharset: 'latin1' },
      /^option defaultCharset is unknown to ndjson: it belongs to json, text, urlencoded, multipart; ndjson takes /],
    [{ bodyLimit: 5 }, 'option bodyLimit is unknown to ndjson: here it is limit'],
    [{ files: {} },
      'option files is unknown to ndjson: it belongs to multipart; ndjson takes limit, type, inflate, reviver, ' +
        'drainLimit, buffered, contentDigest, budget, timeout, minRate, onProtoPoisoning, onConstructorPoisoning, depth, strict, ' +
        'record, max, onError, maxErrors, schema']
  ]
  for (const [options, message] of wrong) {
    it(`refuses ${inspect(options)}`, () => assert.throws(() => ndjson(options), { name: 'TypeError', message }))
    if (String(message).includes('is unknown')) {
      it(`refuses ${inspect(options)} on /web`, () => assert.throws(() => web.ndjson(options),
        { name: 'TypeError', message }))
    }
  }

  it('may all be left out, or be undefined', () => {
    for (const options of [undefined, null, {},
      { limit: undefined, record: null, max: undefined, onError: undefined, schema: null }]) {
      assert.equal(ndjson(options).name, 'ndjsonParser')
    }
  })
})
