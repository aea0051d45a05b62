'use strict'

// Option `digest`: each file has its hash.

const assert = require('node:assert/strict')
const { createHash } = require('node:crypto')
const { multipart } = require('../../../')
const web = require('../../../lib/web')
const { findCrypto } = require('../../../lib/web/node')
const { cut } = require('../../support/arrival')
const loadAgain = require('../../support/load-again')
const useFolder = require('../../support/folder')
const { TYPE, form, iterate, upload } = require('../../support/upload')
const { postPieces } = require('../../support/web-request')

const BIG = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index * index & 255))
const body = form(['a', '1'], ['f', BIG, 'x'], ['f', 'hello', 'y'], ['f', '', 'z'])
const RULES = { files: { '*': { max: 10 } } }
const EXPECTED = [BIG, 'hello', ''].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
const ARRIVALS = { whole: [body], 'cut in pieces': cut(body, [150, 30_000, 100_100, 100_300]) }

describe('digest', () => {
  const folder = useFolder()

  for (const [way, pieces] of Object.entries(ARRIVALS)) {
    it(`is the hash of each file, wherever it is stored: ${way}`, async () => {
      const sum = async (file) => {
        let length = 0
        for await (const chunk of file) length += chunk.length
        return [length, file.digest]
      }
      for (const store of ['memory', multipart.disk(folder.at()), sum]) {
        const parser = multipart({ ...RULES, digest: 'sha256', store, detect: () => 'a/b' })
        const { error, files } = await upload(parser, pieces)
        assert.equal(error, undefined)
        assert.deepEqual(files.f.map(({ digest }) => digest), EXPECTED)
        if (store === sum) for (const { digest, size, value } of files.f) assert.deepEqual(value, [size, digest])
      }
    })
  }

  it('is there at the end of a file that a loop reads', async () => {
    const found = []
    const readAll = async (loop) => {
      for await (const file of loop) {
        if (file.value !== undefined) continue
        await file.toArray()
        found.push(file.digest)
      }
    }
    await upload(iterate(multipart({ ...RULES, digest: 'sha256' }), readAll), body)
    assert.deepEqual(found, EXPECTED)
  })

  it('is that of files of /web', async function () {
    if (findCrypto() === undefined) this.skip() // before Node 20.16
    const request = postPieces(cut(body, [300]), { 'content-type': TYPE })
    const found = []
    for await (const part of web.multipart({ ...RULES, digest: 'sha256' }).parts(request)) {
      if (part.stream === undefined) continue
      for await (const chunk of part) assert.ok(chunk.length > 0)
      found.push(part.digest)
    }
    assert.deepEqual(found, EXPECTED)
  })

  it('is not that of a file that is skipped, nor there without the option', async () => {
    const filter = ({ name }) => name !== 'x'
    const { files } = await upload(multipart({ digest: 'sha256', files: { f: { max: 3, filter } } }), body)
    assert.deepEqual(files.f.map(({ digest }) => digest), EXPECTED.slice(1))
    const plain = await upload(multipart(RULES), body)
    assert.equal('digest' in plain.files.f[0], false)
  })

  it('refuses a name of an unknown hash, and is a TypeError without node:crypto', () => {
    const message = "option digest must be the name of a hash of node:crypto, such as 'sha256'"
    for (const digest of ['sha-257', true]) {
      assert.throws(() => multipart({ digest }), new TypeError(message))
      if (findCrypto() !== undefined) assert.throws(() => web.multipart({ digest }), new TypeError(message))
    }
    const NODE = require.resolve('../../../lib/web/node')
    const own = require.cache[NODE]
    require.cache[NODE] = { ...own, exports: { ...own.exports, findCrypto: () => undefined } }
    try {
      const without = loadAgain(require.resolve('../../../lib/web/multipart'))
      assert.throws(() => without({ digest: 'sha256' }), new TypeError('option digest needs node:crypto'))
      assert.equal(typeof without(), 'function')
    } finally {
      require.cache[NODE] = own
    }
  })
})
