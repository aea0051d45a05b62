'use strict'

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const { multipart } = require('../../../')
const { form, upload } = require('../../support/upload')

const body = form(['a', '1'], ['f', 'hello', 'x'])
const MISSING = ['multipart.boundary.missing', 'the boundary is missing']
const INVALID = ['multipart.boundary.invalid', 'the boundary is invalid']

const UNTERMINATED = 'multipart: unterminated: the boundary that Content-Type names never begins a line of the body; ' +
  'lines end with CRLF'

// [parameters of the Content-Type, type and message of the error]
const rows = [
  ['', MISSING],
  ['; boundary=', INVALID],
  ['; boundary="b "', INVALID],
  ['; boundary=*b', INVALID],
  ['; boundary=b*', INVALID],
  [`; boundary=${'b'.repeat(71)}`, INVALID],
  ['; boundary=b; BOUNDARY = "c"', INVALID],
  [';boundary=b;boundary=c', INVALID],
  ['; boundary = b; x=y; boundary=c', INVALID],
  ['; boundary=b; x=multipart/form-data; boundary=c', INVALID],
  [`; boundary=${'b'.repeat(70)}`, ['multipart.unterminated', UNTERMINATED]],
  ['; charset=utf-8; Boundary="b"'],
  [';xboundary=a;boundary=b;xboundary=c'],
  [';boundaryx=a;boundary=b;boundaryx=c']
]

describe('the boundary of multipart', () => {
  for (const [index, [parameters, [type, message] = []]] of rows.entries()) {
    const name = index % 2 === 0 ? 'Multipart/Form-Data' : 'multipart/form-data'
    it(`is ${type ?? 'right'} in "${name}${parameters}"`, async () => {
      const headers = { 'Content-Type': `${name}${parameters}` }
      const { error, answer } = await upload(multipart(), body, { headers })
      assert.deepEqual([error?.type, error?.message], [type, message])
      assert.doesNotMatch(answer, /Connection: close/) // the rest was drained
    })
  }

  it('needs a Content-Type, whatever `type` says', async () => {
    const req = Object.assign(Readable.from([body]), { headers: { 'transfer-encoding': 'chunked' } })
    const error = await new Promise((resolve) => multipart({ type: () => true })(req, undefined, resolve))
    assert.equal(error.type, 'multipart.boundary.missing')
  })
})
