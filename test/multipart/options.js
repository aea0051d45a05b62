'use strict'

const assert = require('node:assert/strict')
const os = require('node:os')
const { inspect } = require('node:util')
const { multipart } = require('../..')

describe('options of multipart', () => {
  // [options, message]
  const wrong = [
    [{ verify () {} }, 'option verify cannot be combined with multipart, which never has the whole body'],
    [{ rawBody: true }, 'option rawBody cannot be combined with multipart, which never has the whole body'],
    [{ parse () {} }, 'option parse cannot be combined with multipart, which never has the whole body'],
    [{ limit: 'x' }, 'option limit "x" is invalid'],
    [{ fields: 1 }, 'option fields must be an object'],
    [{ fields: [] }, 'option fields must be an object'],
    [{ fields: { max: -1 } }, 'option fields.max "-1" is invalid'],
    [{ fields: { max: NaN } }, 'option fields.max "NaN" is invalid'],
    [{ fields: { size: 'big' } }, 'option fields.size "big" is invalid'],
    [{ fields: { sizes: 1 } }, 'option fields takes max, size; not sizes'],
    [{ parts: { max: true } }, 'option parts.max "true" is invalid'],
    [{ parts: { header: '2mb' } }, 'option parts.header must be 1048576 bytes at most'],
    [{ parts: { size: 1 } }, 'option parts takes max, header, name; not size'],
    [{ files: true }, 'option files must be an object'],
    [{ files: [] }, 'option files must be an object'],
    [{ files: { a: 1 } }, 'option files.a must be an object'],
    [{ files: { a: { max: 'x' } } }, 'option files.a.max "x" is invalid'],
    [{ files: { a: { type: [] } } }, 'option files.a takes max, size; not type'],
    [{ files: { a: { types: 'image/png' } } }, 'option files.a.types must be a list of media types in lower case, or of ranges such as image/*'],
    [{ files: { a: { types: ['image'] } } }, 'option files.a.types must be a list of media types in lower case, or of ranges such as image/*'],
    [{ files: { a: { types: ['image/png', 'image'] } } }, 'option files.a.types must be a list of media types in lower case, or of ranges such as image/*'],
    [{ files: { a: { types: ['image/png; a=b'] } } }, 'option files.a.types must be a list of media types in lower case, or of ranges such as image/*'],
    [{ files: { a: { types: ['image/pn*'] } } }, 'option files.a.types must be a list of media types in lower case, or of ranges such as image/*'],
    [{ files: { a: null } }, 'option files.a must be an object'],
    [{ files: { a: { types: ['Image/png'] } } }, 'option files.a.types must be a list of media types in lower case, or of ranges such as image/*'],
    [{ store: 'disk' }, "option store must be 'memory', multipart.disk(directory) or a function"],
    [{ store: {} }, "option store must be 'memory', multipart.disk(directory) or a function"],
    [{ extended: true, depth: 'x' }, 'option depth must be a zero or a positive number']
  ]
  for (const [options, message] of wrong) {
    it(`refuses ${inspect(options)}`, () => assert.throws(() => multipart(options), { name: 'TypeError', message }))
  }

  it('may all be left out, or be undefined', () => {
    for (const options of [undefined, null, {}, { fields: undefined, files: undefined, parts: { max: undefined }, store: undefined }]) {
      assert.equal(multipart(options).name, 'multipartParser')
    }
  })

  it('may be the largest, or of any kind', () => {
    for (const options of [{ parts: { header: '1mb' } }, { store () {} }, { store: 'memory' }, { store: multipart.disk(os.tmpdir()) }, { limit: () => 1 }, { files: { a: { types: ['a/bc', '*/*', 'a/*'] } } }]) {
      assert.equal(multipart(options).name, 'multipartParser')
    }
  })

  it('keep the media types that they were given', () => {
    const [types, type] = [['a/b'], ['a/b']]
    const parser = multipart({ files: { f: { types } }, type })
    types.push('c/d')
    type.push('c/d')
    assert.equal(inspect(parser, { depth: 9 }).includes('c/d'), false)
  })

  it('are shown by console.log', () => {
    assert.equal(inspect(multipart({ files: { a: { types: ['image/*'] } }, timeout: 5, extended: true }), { breakLength: Infinity }), "[Function: multipartParser] { limit: 1048576, type: 'multipart/form-data', inflate: true, extended: true, depth: 32, drainLimit: 67108864, timeout: 5, fields: { max: 100, size: 102400 }, files: { a: [Object] }, parts: { max: 200, header: 16384, name: 200 }, store: 'memory' }")
    assert.match(inspect(multipart({ files: false })), /files: {}/)
  })
})
