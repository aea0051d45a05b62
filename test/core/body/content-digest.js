'use strict'

// Option `contentDigest`: what is sent is what arrives, or an error.

const assert = require('node:assert/strict')
const { createHash } = require('node:crypto')
const { once } = require('node:events')
const zlib = require('node:zlib')
const { createBudget, json, multipart, ndjson } = require('../../../')
const { createOpenDigest, DigestedSource } = require('../../../lib/core/source/content-digest')
const DecodedSource = require('../../../lib/core/source/decoded-source')
const Source = require('../../../lib/core/source/source')
const { split } = require('../../../tools/http-message')
const { CODERS } = require('../../support/coders')
const digestOf = require('../../support/content-digest')
const exchange = require('../../support/exchange')
const useFolder = require('../../support/folder')
const { lanesOf, messageOf } = require('../../support/lanes')
const { loop } = require('../../support/loop')
const { form, iterate, shown, upload } = require('../../support/upload')
const schemaOf = require('../../support/schema-of')

const CHECK = { contentDigest: 'check' }
const REQUIRE = { contentDigest: 'require' }
const MISMATCH = { status: 400, type: 'digest.mismatch' }
const MISSING = { status: 400, type: 'digest.missing' }
const WANTED = { 'Want-Content-Digest': 'sha-256=10, sha-512=10' }
const BODY = '{"a":[1,2,3]}'
const CODINGS = { identity: (bytes) => bytes, ...CODERS }
const TYPE = { 'Content-Type': 'application/json' }

/** Fields of a body, and the error of each. */
const fieldsFor = (sent) => [[digestOf(sent), undefined], [digestOf('x'), MISMATCH]]

const typeAndStatus = (error) => error === 'none' ? undefined : { status: error.status, type: error.type }
const withDigest = ({ head, ...message }, field) =>
  ({ ...message, head: head.replace('\r\n\r\n', `\r\nContent-Digest: ${field}\r\n\r\n`) })

/** The bytes of a body as a message sends them, without the framing. */
const sentIn = (lane, body) => lane.startsWith('gzip') ? zlib.gzipSync(body) : Buffer.from(body)

describe('contentDigest of whole bodies', () => {
  for (const [lane, message] of Object.entries(lanesOf({ headers: TYPE, body: BODY }))) {
    it(`tells a body that is what was sent from another: ${lane}`, async () => {
      const seen = await exchange(json(REQUIRE), withDigest(message, digestOf(sentIn(lane, BODY))))
      assert.deepEqual([seen.error, seen.next, seen.listeners], ['none', 1, []])
      const refused = await exchange(json(CHECK), withDigest(message, digestOf(`${BODY} `)))
      assert.deepEqual([typeAndStatus(refused.error), refused.next, refused.listeners, refused.body, refused.reusable],
        [MISMATCH, 1, [], 'undefined', true])
    })
  }

  // [what, field of the body, error of 'check', error of 'require']
  const right = digestOf(BODY)
  const rows = [
    ['no field', undefined, undefined, MISSING],
    ['an empty field', '', undefined, MISSING],
    ['an algorithm that is insecure', 'md5=:eB2yb0hLUQSFLjZ+w6EHmw==:', undefined, MISSING],
    ['two that are right', `${digestOf(BODY, 'sha-512')},\t${right}`, undefined, undefined],
    ['two of which one is wrong', `${right}, ${digestOf('x', 'sha-512')}`, MISMATCH, MISMATCH],
    ['an insecure one that is wrong beside one that is right', `md5=:eA==:, ${right}`, undefined, undefined],
    ['one that is given twice, of which the last counts', `${digestOf('x')}, ${right}`, undefined, undefined],
    ['parameters', `${right};a;b=1; *c=?0`, undefined, undefined],
    ['no padding', right.replace(/=:$/, ':'), undefined, undefined],
    ['another case of the base64', digestOf(BODY).toUpperCase().replace('SHA', 'sha'), MISMATCH, MISMATCH],
    ['a part of the digest', 'sha-256=:eA==:', MISMATCH, MISMATCH],
    ['no digest', 'sha-256=::', MISMATCH, MISMATCH],
    ['a name in capitals', right.replace('sha', 'SHA'), MISMATCH, MISSING],
    ['a digest without colons', right.replaceAll(':', ''), MISMATCH, MISSING],
    ['a digest in hex', `sha-256=${createHash('sha256').update(BODY).digest('hex')}`, MISMATCH, MISSING],
    ['a comma at the end', `${right},`, MISMATCH, MISSING],
    ['a blank in the member', right.replace('=', ' ='), MISMATCH, MISSING],
    ['another character in the digest', right.replace(/:(.)/, ':_'), MISMATCH, MISSING],
    ['a text', 'hello', MISMATCH, MISSING]
  ]
  for (const [what, field, ofCheck, ofRequire] of rows) {
    it(`takes or refuses a body whose field has ${what}`, async () => {
      const headers = { ...TYPE, 'Content-Digest': field }
      for (const [options, error] of [[CHECK, ofCheck], [REQUIRE, ofRequire]]) {
        const seen = await exchange(json(options), messageOf({ headers, body: BODY }))
        assert.deepEqual(typeAndStatus(seen.error), error)
        assert.equal(seen.next, 1)
      }
    })
  }

  it('is also of bytes that come once the decoder has ended', async () => {
    const coded = zlib.deflateSync('a')
    const sent = Buffer.concat([coded, Buffer.from('more')])
    for (const [digest, expected] of [[digestOf(sent), 'none'], [digestOf(coded), MISMATCH.type]]) {
      const [source, decoder] = [new Source(), zlib.createInflate()]
      const body = new DecodedSource(new DigestedSource(source, createOpenDigest('check', createHash)(digest)), decoder)
      const read = body.pull().then(() => body.pull())
      source.give(sent.subarray(0, -2)) // the decoder ends at a byte that it does not take
      await once(decoder, 'end')
      for (const piece of [sent.subarray(-2, -1), sent.subarray(-1)]) source.give(piece)
      source.end()
      assert.equal(await read.then((chunk) => chunk ?? 'none', ({ type }) => type), expected)
    }
  })

  it('takes a long field in linear time', () => {
    const open = createOpenDigest('check', createHash)
    for (const field of ['=', ';', 'a;', ' ', 'a=:', 'a=::;a=', ',', 'a=:='].map((text) => text.repeat(50_000))) {
      const begin = performance.now()
      assert.throws(() => open(field), { type: 'digest.mismatch' })
      assert.ok(performance.now() - begin < 1000)
    }
  })

  it('reads the field of an adapter, be it a list', () => {
    const open = createOpenDigest('require', createHash)
    const digest = open([digestOf('ab'), digestOf('ab', 'sha-512')])
    digest.update(Buffer.from('a'))
    digest.update(Buffer.from('b'))
    assert.equal(digest.fault(), null)
  })

  it('is compared before verify, rawBody and schema', async () => {
    const calls = []
    const parser = json({
      ...CHECK,
      verify: () => { calls.push('verify') },
      rawBody: () => { calls.push('rawBody') },
      schema: schemaOf((value) => ({ value: calls.push('schema') }))
    })
    for (const [field, called] of [[digestOf('x'), []], [digestOf(BODY), ['rawBody', 'verify', 'schema']]]) {
      const headers = { ...TYPE, 'Content-Digest': field }
      await exchange(parser, messageOf({ headers, body: BODY }))
      assert.deepEqual(calls, called)
    }
  })

  it('is also of what rawBody: \'coded\', a cooperative parser, a budget and a timeout read', async () => {
    const parsers = [
      json({ ...CHECK, rawBody: 'coded' }), json({ ...CHECK, cooperative: { threshold: 1 } }),
      json({ ...CHECK, budget: createBudget({ bytes: '1mb' }), timeout: 10_000 })
    ]
    for (const [coding, chunked] of [['identity', false], ['identity', true], ['gzip', false], ['br', true]]) {
      const sent = CODINGS[coding](Buffer.from(BODY))
      for (const [field, error] of fieldsFor(sent)) {
        const headers = { ...TYPE, 'Content-Encoding': coding, 'Content-Digest': field }
        for (const parser of parsers) {
          const seen = await exchange(parser, messageOf({ headers, body: sent, chunked }))
          assert.deepEqual(typeAndStatus(seen.error), error)
        }
      }
    }
  })

  it('does not hide a coded body that is too large, corrupt, or of a coding that is unknown', async () => {
    const rows = [
      [zlib.gzipSync(Buffer.alloc(10 ** 6)), 'gzip', 413], [Buffer.from('junk'), 'gzip', 400],
      [Buffer.alloc(200_000), 'gzip', 413], [Buffer.from('x'), 'x', 415]
    ]
    for (const [bytes, coding, status] of rows) {
      const headers = { ...TYPE, 'Content-Encoding': coding, 'Content-Digest': digestOf(bytes) }
      const seen = await exchange(json(REQUIRE), messageOf({ headers, pieces: [bytes], chunked: true }))
      assert.deepEqual([seen.error.status, seen.next], [status, 1])
      assert.notEqual(seen.error.type, MISMATCH.type)
    }
  })

  it('asks for no digest of a request without a body, or that is of another parser', async () => {
    for (const message of [{ method: 'GET' }, { headers: { 'Content-Type': 'a/b' }, body: 'x' }]) {
      const seen = await exchange(json(REQUIRE), messageOf(message))
      assert.deepEqual([seen.error, seen.next], ['none', 1])
    }
  })

  it('is checked or required, and nothing else', () => {
    for (const contentDigest of [true, false, 'sha-256', 1, {}, ['check']]) {
      assert.throws(() => json({ contentDigest }), new TypeError("option contentDigest must be 'check' or 'require'"))
    }
  })
})

describe('contentDigest of forms and loops', () => {
  const folder = useFolder()
  const body = form(['a', '1'], ['f', 'hello', 'x'], ['g', 'world', 'y'])
  const arrivals = (bytes) => ({
    whole: [bytes],
    'in pieces': split(bytes, 20),
    'in two': [bytes.subarray(0, -3), bytes.subarray(-3)]
  })
  const fieldsOf = (coding, field) => ({
    ...(coding !== 'identity' && { 'Content-Encoding': coding }),
    'Content-Digest': field
  })

  for (const [coding, encode] of Object.entries(CODINGS)) {
    const sent = encode(body)
    for (const [way, pieces] of Object.entries(arrivals(sent))) {
      it(`leaves no file of a form that is not what was sent: ${coding}, ${way}`, async () => {
        for (const store of ['memory', multipart.disk(folder.at())]) {
          const parser = multipart({ ...REQUIRE, store })
          const ask = (field, handle) =>
            upload(parser, pieces, { chunked: way !== 'whole', headers: fieldsOf(coding, field), handle })
          const read = await ask(digestOf(sent))
          assert.deepEqual([read.error, read.body], [undefined, { a: '1' }])
          await folder.emptied() // behind the answer
          const seen = await ask(digestOf(`${sent}x`), () => assert.deepEqual(folder.names(), []))
          assert.deepEqual([seen.error && shown(seen.error), seen.files, seen.calls], [MISMATCH, undefined, 1])
        }
      })
    }
  }

  it('is asked for before a form is read, its length or its boundary', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=' }
    const store = () => assert.fail('stores')
    for (const [options, message] of [[{ store }, {}], [{}, { headers }], [{ limit: 10 }, { headers }]]) {
      const seen = await upload(multipart({ ...REQUIRE, ...options }), body, message)
      assert.deepEqual([shown(seen.error), seen.error.headers, seen.calls], [MISSING, WANTED, 1])
    }
  })

  it('is thrown at the end of a loop over parts, behind all of them', async () => {
    const names = []
    const readNames = async (parts) => { for await (const { field } of parts) names.push(field) }
    const headers = { 'Content-Digest': digestOf('x') }
    const { error } = await upload(iterate(multipart(REQUIRE), readNames), body, { headers })
    assert.deepEqual([names, shown(error)], [['a', 'f', 'g'], MISMATCH])
  })

  for (const [coding, encode] of Object.entries(CODINGS)) {
    it(`is thrown at the end of a loop over records: ${coding}`, async () => {
      const sent = encode(Buffer.from('{"a":1}\n{"a":2}\n'))
      for (const pieces of Object.values(arrivals(sent))) {
        for (const [field, error] of fieldsFor(sent)) {
          const seen = await loop(ndjson(REQUIRE), pieces, { headers: fieldsOf(coding, field), chunked: true })
          assert.deepEqual([seen.items, seen.error && shown(seen.error)], [[{ a: 1 }, { a: 2 }], error])
        }
      }
    })
  }

  it('does not hide that the client has left, or that a form is too large', async () => {
    const headers = { 'Content-Digest': digestOf('x') }
    const left = await upload(multipart(CHECK), body, { headers, cut: true })
    assert.equal(left.error.type, 'request.aborted')
    const large = await upload(multipart({ ...CHECK, limit: 100 }), body, { headers })
    assert.equal(large.error.type, 'entity.too.large')
  })
})
