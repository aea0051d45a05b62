'use strict'

// What stands in front of the first boundary, and behind the last one, in each way to read a form.

const assert = require('node:assert/strict')
const { multipart } = require('../../../')
const { both } = require('../../support/multer-rows')
const { arrivals } = require('../../support/arrival')
const { iterate, upload } = require('../../support/upload')

const FORM = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' +
  '--b\r\nContent-Disposition: form-data; name="b"\r\n\r\n2\r\n--b--'
const BEFORE = ['\n', '\uFEFF', ' \t', 'text', '\r\n \n', '--b--\n']

/** @returns {Promise<[error: string | undefined, fields: object]>} */
async function loopOver (type, body) {
  const fields = {}
  const parse = iterate(multipart(), async (parts) => {
    for await (const { field, value, headers } of parts) {
      fields[field || /name="(.)"/.exec(headers['content-disposition'])[1]] = value
    }
  })
  const { error } = await upload(parse, body, { headers: { 'Content-Type': `${type}; boundary=b` } })
  return [error?.type, fields]
}

const entries = {
  'multipart()': async (body) => {
    const { error, body: fields } = await upload(multipart(), body)
    return [error?.type, fields]
  },
  'parts()': (body) => loopOver('multipart/form-data', body),
  'parts() of another multipart type': (body) => loopOver('multipart/mixed', body)
}

for (const [entry, read] of Object.entries(entries)) {
  describe(`a form, read by ${entry}`, () => {
    it('has its first part behind anything, and may end with NUL', async () => {
      for (const [index, before] of BEFORE.entries()) {
        const ways = Object.values(arrivals(Buffer.from(`${before}${FORM}\r\n`)))
        assert.deepEqual(await read(ways[index % ways.length]), [undefined, { a: '1', b: '2' }])
      }
      for (const after of ['\0', '\0'.repeat(1000), ' \0\0']) {
        assert.deepEqual(await read(Buffer.from(`${FORM}${after}`)), [undefined, { a: '1', b: '2' }])
      }
    })

    it('is refused where the line of its first boundary ends with LF or CR alone, as that part would be lost', async () => {
      for (const lineEnd of ['\n', '\r', ' \n']) {
        assert.equal((await read(Buffer.from(FORM.replace('\r\n', lineEnd))))[0], 'multipart.unterminated')
      }
    })

    it('is refused where only its last boundary is there, and begins no line', async () => {
      assert.equal((await read(Buffer.from('\n--b--\r\n')))[0], 'multipart.unterminated')
    })
  })
}

describe('a form, read by the drop-in for multer', () => {
  const make = (multer) => multer().none()

  for (const before of BEFORE) {
    it(`has its first part behind ${JSON.stringify(before)}, where multer loses it`, async () => {
      const [ours, expected] = await both({ make, body: `${before}${FORM}\r\n` })
      assert.deepEqual(ours.body, { '<null>': true, a: '1', b: '2' })
      assert.deepEqual([expected.error, expected.body.a], [undefined, undefined])
    })
  }

  it('is refused where the line of its first boundary ends with LF alone, where multer loses it', async () => {
    const [ours, expected] = await both({ make, body: FORM.replace('\r', '') })
    assert.deepEqual([ours.error?.message, ours.status], ['Unexpected end of form', 400])
    assert.deepEqual([expected.error, expected.body], [undefined, { '<null>': true, b: '2' }])
  })

  it('may end with NUL, as with multer', async () => {
    for (const after of ['\0', '\0'.repeat(1000), '\0text']) {
      const [ours, expected] = await both({ make, body: `${FORM}${after}` })
      assert.deepEqual(ours.body, { '<null>': true, a: '1', b: '2' })
      assert.deepEqual(ours, expected)
    }
  })
})
