'use strict'

const assert = require('node:assert/strict')
const os = require('node:os')
const { inspect } = require('node:util')
const { multipart } = require('../../../')
const { readOptions } = require('../../../lib/options/read-options')

const TYPES = 'option files.a.types must be a list of media types in lower case, or of ranges such as image/*'
const NAMES = 'type, inflate, defaultCharset, extended, depth, drainLimit, buffered, contentDigest, budget, timeout, minRate, ' +
  'fields, files, total, limit, parts, store, detect, digest, schema'

describe('options of multipart', () => {
  // [options, message]
  const wrong = [
    [{ verify () {} }, 'option verify cannot be combined with multipart, which never has the whole body'],
    [{ rawBody: true }, 'option rawBody cannot be combined with multipart, which never has the whole body'],
    [{ parse () {} }, 'option parse cannot be combined with multipart, which never has the whole body'],
    [{ limit: 'x' }, 'option limit "x" is invalid'],
    [{ fields: 1 }, 'option fields must be an object'],
    [{ fields: { max: -1 } }, 'option fields.max "-1" is invalid'],
    [{ fields: { size: 'big' } }, 'option fields.size "big" is invalid'],
    [{ fields: { sizes: 1 } }, 'option fields takes max, size; not sizes'],
    [{ parts: { max: true } }, 'option parts.max "true" is invalid'],
    [{ parts: { header: '2mb' } }, 'option parts.header must be 1 MB at most'],
    [{ parts: { size: 1 } }, 'option parts takes max, header, name; not size'],
    [{ files: true }, 'option files must be an object'],
    [{ files: { a: { max: 'x' } } }, 'option files.a.max "x" is invalid'],
    [{ files: { a: { type: [] } } }, 'option files.a takes min, max, size, types, filter, store; not type'],
    ...['image/png', ['image'], ['image/png', 'image'], ['image/png; a=b'], ['image/pn*'], ['a.b/c'], ['.a/b'],
      ['a+b/*'], [5], ['Image/png']].map((types) => [{ files: { a: { types } } }, TYPES]),
    [{ files: { a: null } }, 'option files.a must be an object'],
    [{ store: 'disk' }, "option store must be 'memory', 'stream', multipart.disk(directory) or a function"],
    [{ store: {} }, "option store must be 'memory', 'stream', multipart.disk(directory) or a function"],
    [{ store: 'stream', files: { a: {}, b: { store: 'memory' } } },
      "option files.b.store cannot be combined with store: 'stream'"],
    [{ files: { b: { store: 'stream' } } },
      "option files.b.store must be 'memory', multipart.disk(directory) or a function"],
    [{ extended: true, depth: 'x' }, 'option depth must be a zero or a positive number'],
    [{ files: { a: { min: 2 } } }, 'option files.a.min must not be more than its max, 1'],
    [{ files: { a: { min: 'x' } } }, 'option files.a.min "x" is invalid'],
    [{ files: { a: { filter: true } } }, 'option files.a.filter must be a function'],
    [{ files: { a: { store: 'disk' } } },
      "option files.a.store must be 'memory', multipart.disk(directory) or a function"],
    [{ total: 'x' }, 'option total "x" is invalid'],
    [{ defaultCharset: 'utf-16' }, 'option defaultCharset must be a charset of the Encoding Standard, ' +
      'and a superset of ASCII, such as windows-1252'],
    [{ max: 5 }, `option max is unknown to multipart: it belongs to ndjson, jsonArray; multipart takes ${NAMES}`],
    ...['multipart/mixed', 'multipart/*', 'multipart', '*/*', 'Multipart/Form-Data',
      ['multipart/form-data', 'multipart/mixed'], 5].map((type) => [{ type },
      "option type must be 'multipart/form-data' or a function: multipart() takes form-data alone. " +
      'parts() reads every multipart type if it is left out']),
    [{ constructor: 5 }, `option constructor is unknown to multipart: it takes ${NAMES}`]
  ]
  for (const [options, message] of wrong) {
    it(`refuses ${inspect(options)}`, () => assert.throws(() => multipart(options), { name: 'TypeError', message }))
  }

  it('may all be left out, or be undefined', () => {
    for (const options of [
      undefined, null, {}, { fields: undefined, files: undefined, parts: { max: undefined }, store: undefined }
    ]) {
      assert.equal(multipart(options).name, 'multipartParser')
    }
  })

  // [options, limit in bytes]
  const MIB = 2 ** 20
  for (const [options, limit] of [
    [{}, MIB],
    [{ files: false }, MIB],
    [{ files: { a: {} } }, MIB],
    [{ files: { a: { size: '5mb' } } }, 6 * MIB],
    [{ files: { a: { size: '5mb', max: 3 }, '*': { size: '1mb', max: 2 } } }, 18 * MIB],
    [{ files: { a: { size: '1mb', max: 0 }, b: { size: '1mb', max: 2 }, c: { max: 0 } } }, 3 * MIB],
    [{ total: '20mb' }, 21 * MIB],
    [{ files: false, fields: { max: 200 } }, MIB + 90 * 512], // 200 fields and 90 controls without a file, beyond 200
    [{ total: Infinity, files: { a: { size: '5mb' } } }, 6 * MIB],
    [{ files: { a: { size: '5mb' }, b: {} } }, 6 * MIB],
    [{ total: '3mb', files: { a: { size: '2mb' }, b: {} } }, 4 * MIB],
    [{ total: '3mb', files: { a: { size: '3mb', max: 2 } } }, 4 * MIB],
    [{ total: '3mb', limit: '4mb' }, 4 * MIB],
    [{ total: '3mb', limit: Infinity }, Infinity],
    [{ files: { a: { size: '1kb', max: Infinity } } }, MIB + 1024],
    [{ files: { a: { size: '5mb' } }, limit: '6mb' }, 6 * MIB],
    [{ files: { a: { size: '5mb' } }, limit: Infinity }, Infinity]
  ]) {
    it(`have a limit of ${limit} bytes with ${inspect(options, { depth: 3 })}`, () =>
      assert.equal(readOptions('multipart', options).limit, limit))
  }

  it('may have rules whose types, filter and store are left out', () => {
    for (const value of [undefined, null]) {
      const { a } = readOptions('multipart', { files: { a: { types: value, filter: value, store: value } } }).files
      assert.deepEqual([Object.keys(a), a.types], [['min', 'max', 'size', 'types'], ['*/*']])
    }
  })

  it('may be the largest, or of any kind', () => {
    for (const options of [
      { parts: { header: '1mb' } }, { store () {} }, { store: 'memory' }, { store: multipart.disk(os.tmpdir()) },
      { limit: () => 1 }, { files: { a: { types: ['a/bc', '*/*', 'a/*'] } } }
    ]) {
      assert.equal(multipart(options).name, 'multipartParser')
    }
  })

  it('keep the media types that they were given', () => {
    const [types, type] = [['a/b'], ['multipart/form-data']]
    const parser = multipart({ files: { f: { types } }, type })
    types.push('c/d')
    type.push('c/d')
    assert.equal(inspect(parser, { depth: 9 }).includes('c/d'), false)
  })
})
