'use strict'

// Options that limit a form: each can be reached, or is refused when the parser is made.

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const { multipart } = require('../../../')
const { readOptions } = require('../../../lib/options/read-options')
const { createRandom, pick, randomInt } = require('../../../tools/random')
const { boundsOf, compactForm } = require('../../support/compact-form')
const { form, shown, upload } = require('../../support/upload')

const RUNS = Number(process.env.FUZZ_RUNS) || 40
const SEED = Number(process.env.FUZZ_SEED) || 0
const MIB = 2 ** 20

/** @returns {Promise<Error | undefined>} */
function errorOf (parser, body) {
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' }
  const req = Object.assign(Readable.from([body], { objectMode: false }), { headers })
  return new Promise((resolve) => parser(req, {}, resolve))
}

/** Some of these numbers, so that they are often at odds with each other. */
function randomOptions (random) {
  const some = (entries) => Object.fromEntries(Object.entries(entries)
    .filter(() => randomInt(2, random) === 0)
    .map(([name, values]) => [name, pick(values, random)]))
  const rule = () => some({ min: [0, 1, 2], max: [0, 1, 3, 250, Infinity], size: [0, 7, 100, 70_000, Infinity] })
  const options = {
    fields: some({ max: [0, 1, 3, 300, Infinity], size: [0, 1, 50, 2 * MIB, Infinity] }),
    parts: some({ max: [1, 4, 210], header: [40, 70, 20_000], name: [1, 9, 300, 20_000] }),
    ...some({ limit: [60, 300, 2000, 100_000, () => Infinity], total: [0, 5, 150, 200_000, Infinity] })
  }
  if (randomInt(3, random) > 0) options.files = some({ a: [rule()], 'photos of a day': [rule()], '*': [rule()] })
  for (const rule of Object.values(options.files ?? {})) rule.min = Math.min(rule.min ?? 0, rule.max ?? 1)
  return options
}

/** What may refuse a form besides: limits that were drawn are often as tight as the one in question. */
function allowed (type, parts, { limit, parts: { max }, total }, body) {
  const bytes = parts.reduce((sum, { filename, size = 0 }) => sum + (filename === undefined ? 0 : size), 0)
  return [
    type,
    type.endsWith('name.too.long') && 'multipart.header.too.large',
    parts.length > max && 'multipart.parts.too.many',
    bytes > total && 'multipart.files.too.large',
    body.length > limit && 'entity.too.large'
  ]
}

async function assertReachable (options) {
  const limits = readOptions('multipart', options)
  const parser = multipart(options)
  let count = 0
  for (const { option, type, at, over } of boundsOf(options, limits)) {
    const reached = await errorOf(parser, compactForm(at))
    assert.equal(reached, undefined, `${option}: ${reached?.message}`)
    count++
    if (over === null) continue
    const body = compactForm(over)
    const { type: found } = await errorOf(parser, body)
    assert.ok(allowed(type, over, limits, body).includes(found), `one over ${option}: ${found}`)
  }
  return count
}

/** Does what the message of the TypeError says. */
function followAdvice (options, message) {
  if (message.endsWith('Allow some in files, or leave it out.')) return { ...options, total: undefined }
  const [, path, size] = /(?:Raise|Lower) ([\w.]+) to (?:at least )?([\d.]+(?: \w+)?), or leave it out\.$/.exec(message)
  const value = /bytes?$|^\d+$/.test(size) ? parseInt(size) : size.replace(' ', '').toLowerCase()
  const [group, name] = path.split('.')
  return name === undefined
    ? { ...options, [group]: value }
    : { ...options, [group]: { ...options[group], [name]: value } }
}

describe('options that limit a form', function () {
  this.timeout(60_000 + 20 * RUNS)

  it('can be reached, and not be exceeded, whatever others they are combined with', async () => {
    let [reached, refused] = [0, 0]
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      let options = randomOptions(createRandom(seed))
      const messages = new Set()
      const given = JSON.stringify(options)
      for (let parser = null; parser === null;) {
        try {
          parser = multipart(options)
        } catch (error) {
          assert.equal(error.name, 'TypeError')
          assert.equal(messages.has(error.message), false,
            `seed ${seed}: the advice does not help: ${error.message} ${given}`)
          messages.add(error.message)
          options = followAdvice(options, error.message)
        }
      }
      refused += messages.size
      reached += await assertReachable(options).catch((error) => {
        throw new Error(`seed ${seed}: ${error.message} ${given}`)
      })
    }
    assert.ok(reached > RUNS && refused > RUNS / 4, `${reached} bounds, ${refused} refused`)
  })

  // [what, options, parts of the smallest form that reaches them]
  const file = (name = 'a', size = 0) => ({ name, filename: 'a', size })
  const tight = [
    ['fields.max', { fields: { max: 3 } }, [{}, {}, {}]],
    ['fields.size', { fields: { size: 5 } }, [{ size: 5 }]],
    ['the max of a rule', { files: { a: { max: 3 } } }, [file(), file(), file()]],
    ['the size of a rule', { files: { a: { size: 5 } } }, [file('a', 5)]],
    ['the max of a rule whose name needs quotes', { files: { 'a b': { max: 2 } } }, [file('a b'), file('a b')]],
    ['the max of a rule for all names', { files: { '*': { max: 2 } } }, [file(), file()]],
    ['the size of a file that is required', { files: { a: { min: 1, size: 5 } } }, [file('a', 5)]],
    ['the size of a file beside one that is required', { files: { a: { min: 1 }, b: { size: 5 } } },
      [file(), file('b', 5)]],
    ['fields beside files that are required', { fields: { max: 2 }, files: { a: { min: 2, max: 2 } } },
      [{}, {}, file(), file()]],
    ['parts.max', { parts: { max: 2 } }, [{}, {}]],
    ['parts.max, of any kind', { parts: { max: 4 }, fields: { max: 1 }, files: { a: {} } }, [{}, file(), { filename: '""' }, { filename: '""' }]],
    ['parts.name', { parts: { name: 9 } }, [{ name: 'n'.repeat(9) }]],
    ['parts.header', { parts: { header: 60 } }, [{ blanks: 24 }]],
    ['total', { total: 5 }, [file('a', 5)]]
  ]
  for (const [what, options, parts] of tight) {
    it(`may have a limit that ${what} just reaches, and none below`, async () => {
      const body = compactForm(parts)
      assert.equal(await errorOf(multipart({ ...options, limit: body.length }), body), undefined)
      assert.throws(() => multipart({ ...options, limit: body.length - 1 }),
        { name: 'TypeError', message: /^option .+ can never be reached: limit, for the whole form, is / })
      assert.equal(typeof multipart({ ...options, limit: () => 1 }), 'function') // which may allow more sometimes
    })
  }

  // [options, message]
  const atOdds = [
    [{ fields: { max: 5 }, parts: { max: 4 } }, 'option fields.max (5) can never be reached: parts.max is 4. Raise parts.max to at least 5, or leave it out.'],
    [{ files: { a: { min: 2, max: 2 } }, fields: { max: 3 }, parts: { max: 4 } }, 'option fields.max (3) can never be reached: parts.max is 4, and files have to be 2 of them. Raise parts.max to at least 5, or leave it out.'],
    [{ files: { a: { min: 300, max: 300 } }, parts: { max: 200 } }, 'option files.a.max (300) can never be reached: parts.max is 200, and files have to be 300 of them. Raise parts.max to at least 300, or leave it out.'],
    [{ files: { a: { max: 5, size: 1 } }, total: 5, parts: { max: 4 } }, 'option files.a.max (5) can never be reached: parts.max is 4. Raise parts.max to at least 5, or leave it out.'],
    [{ fields: { size: '5mb' }, limit: '2mb' }, 'option fields.size (5 MB) can never be reached: limit, for the whole form, is 2 MB. Raise limit to at least 6 MB, or leave it out.'],
    [{ fields: { max: 1000 }, limit: '20kb' }, 'option fields.max (1000) can never be reached: limit, for the whole form, is 20 KB. Raise limit to at least 500 KB, or leave it out.'],
    [{ total: '20mb', files: { a: { size: '2mb', max: 2 } } }, 'option total (20 MB) can never be reached: the rules in files allow 4 MB. Lower total to 4 MB, or leave it out.'],
    [{ total: '1mb', files: false }, 'option total (1 MB) can never be reached: no files are allowed. Allow some in files, or leave it out.'],
    [{ total: 1, files: { a: { max: 0 } } }, 'option total (1 byte) can never be reached: no files are allowed. Allow some in files, or leave it out.'],
    [{ fields: { max: 1 }, parts: { name: 0 } }, 'option fields.max (a name of 1 byte) can never be reached: parts.name is 0 bytes. Raise parts.name to at least 1 byte, or leave it out.'],
    [{ files: { photos: {} }, parts: { name: 5 } }, 'option files.photos (a name of 6 bytes) can never be reached: parts.name is 5 bytes. Raise parts.name to at least 6 bytes, or leave it out.'],
    [{ files: { photos: {} }, parts: { header: 50 } }, 'option files.photos (a name of 6 bytes) can never be reached: parts.header is 50 bytes. Raise parts.header to at least 52 bytes, or leave it out.'],
    [{ parts: { header: 70, name: 200 } }, 'option parts.name (200 bytes) can never be reached: parts.header is 70 bytes. Raise parts.header to at least 235 bytes, or leave it out.'],
    [{ parts: { name: '2mb' } }, 'option parts.name (2 MB) can never be reached: parts.header is 1 MB at most. A name has 1048541 bytes at most.'],
    [{ files: { a: { min: Infinity, max: Infinity } } }, 'option files.a.min must be a finite number of files']
  ]
  for (const [options, message] of atOdds) {
    it(`are refused if they are at odds: ${message}`, () =>
      assert.throws(() => multipart(options), { name: 'TypeError', message }))
  }

  // [what, options, body]
  const many = (count, ...part) => form(...Array.from({ length: count }, () => part))
  const large = [
    ['300 files of a rule', { files: { photos: { max: 1000, size: '10mb' } } }, many(300, 'photos', 'x', 'x.png')],
    ['1000 fields', { fields: { max: 1000 } }, many(1000, 'a', '1')],
    ['a field of 2 MB', { fields: { size: '5mb' } }, form(['a', Buffer.alloc(2 * MIB, 'a')])],
    ['a field of 5 MB, of any number of fields', { fields: { max: Infinity, size: '5mb' } },
      form(['a', Buffer.alloc(5 * MIB, 'a')])],
    ['three fields of 5 MB', { fields: { max: 3, size: '5mb' } }, many(3, 'a', Buffer.alloc(5 * MIB, 'a'))],
    ['300 files that are required', { files: { a: { min: 300, max: 300 } } }, many(300, 'a', 'x', 'x.png')],
    ['a rule with a long name', { files: { ['n'.repeat(20_000)]: {} } }, form(['n'.repeat(20_000), 'x', 'x'])]
  ]
  for (const [what, options, body] of large) {
    it(`allow ${what} without another option`, async () => {
      const { error, body: fields } = await upload(multipart(options), body)
      assert.deepEqual([error && shown(error), typeof fields], [undefined, 'object'])
    })
  }
})

describe('a form that is too large', () => {
  const sizes = [1.5, 2.3, 9].map((size) => Math.round(size * MIB))
  const ways = [
    ['of a declared length', (options, body) => upload(multipart(options), body)],
    ['without a length', (options, body) => upload(multipart(options), body, { chunked: true })],
    ['in pieces', (options, body) => upload(multipart(options), piecesOf(body))],
    ['that was read before', async (options, body) => {
      const parser = multipart({ ...options, buffered: true })
      return upload((req, res, next) => req.resume().once('end', () => {
        parser(Object.assign(req, { rawBody: body }), res, next)
      }), body)
    }]
  ]
  const piecesOf = (body) =>
    Array.from({ length: Math.ceil(body.length / 50_000) }, (_, at) => body.subarray(at * 50_000, (at + 1) * 50_000))
  const fileError = { status: 413, type: 'multipart.file.too.large', limit: MIB, field: 'avatar', part: 1 }
  const fieldError = { status: 413, type: 'multipart.field.too.large', limit: 102400, field: 'a', part: 1 }
  const formError = { status: 413, type: 'entity.too.large', limit: 2 * MIB }
  const photos = { files: { photo: { size: '1mb' }, other: {} } } // and so a limit of 2 MB

  for (const [way, send] of ways) {
    for (const size of sizes) {
      it(`has the error of the rule, whose file is ${size} bytes, ${way}`, async () => {
        const { error } = await send({ files: { avatar: { size: '1mb' } } },
          form(['avatar', Buffer.alloc(size), 'x.png']))
        assert.deepEqual([shown(error), error.message],
          [fileError, 'multipart: file too large (field "avatar"): at most 1 MB'])
      })
    }

    it(`has the error of its field, ${way}`, async () => {
      const { error } = await send({}, form(['a', Buffer.alloc(2 * MIB)]))
      assert.deepEqual([shown(error), error.message],
        [fieldError, 'multipart: field too large (field "a"): at most 100 KB'])
    })

    it(`has the error of all files, ${way}`, async () => {
      const { error } = await send({ total: '1mb' }, form(['f', Buffer.alloc(4 * MIB), 'x.png']))
      assert.deepEqual(shown(error), {
        status: 413,
        type: 'multipart.files.too.large',
        limit: MIB,
        field: 'f',
        part: 1
      })
    })

    it(`is over the limit, with the part that was read, if no part is over its own, ${way}`, async () => {
      const within = await send(photos,
        form(['other', Buffer.alloc(1.8 * MIB), 'x'], ['photo', Buffer.alloc(0.9 * MIB), 'y']))
      assert.deepEqual(shown(within.error), { ...formError, field: 'photo', part: 2 })
      assert.equal(within.error.message, 'multipart: form too large (field "photo"): at most 2 MB')
      assert.ok(within.error.received > 2 * MIB)
      const beyond = await send(photos,
        form(['other', Buffer.alloc(1.8 * MIB), 'x'], ['photo', Buffer.alloc(1.1 * MIB), 'y']))
      assert.deepEqual(shown(beyond.error), { ...fileError, field: 'photo', part: 2 })
      const unbounded = await send(photos,
        form(['photo', Buffer.alloc(0.9 * MIB), 'y'], ['other', Buffer.alloc(1.8 * MIB), 'x']))
      assert.deepEqual(shown(unbounded.error), { ...formError, field: 'other', part: 2 })
    })

    it(`is over the limit with its epilogue, and not with as much, ${way}`, async () => {
      const body = form(['a', '1'])
      const filled = Buffer.concat([body, Buffer.alloc(MIB - body.length)])
      assert.equal((await send({}, filled)).error, undefined)
      const { error } = await send({}, Buffer.concat([filled, Buffer.alloc(1)]))
      assert.deepEqual([error.type, error.limit], ['entity.too.large', MIB])
    })
  }

  it('is refused by its length alone, before it is read, if limit is given', async () => {
    const body = form(['avatar', Buffer.alloc(3 * MIB), 'x.png'])
    const options = { limit: '2mb', files: { avatar: { size: '1mb' } } }
    const { error } = await upload(multipart(options), body)
    assert.deepEqual([shown(error), error.length, error.expected, error.received],
      [formError, body.length, body.length, undefined])
    assert.equal(error.message, 'multipart: form too large: at most 2 MB')
    assert.deepEqual(shown((await upload(multipart({ ...options, limit: () => 2 * MIB }), body)).error), formError)
  })

  it('has nothing more stored of a part that goes on over the limit', async () => {
    const stored = []
    const store = async (file) => { for await (const { length } of file) stored.push(length) }
    const body = form(['other', Buffer.alloc(1.8 * MIB), 'x'], ['photo', Buffer.alloc(0.9 * MIB), 'y'])
    const { error } = await upload(multipart({ ...photos, store }), piecesOf(body))
    assert.equal(error.type, 'entity.too.large')
    assert.ok(stored.reduce((sum, length) => sum + length, 0) < 2.1 * MIB)
  })
})
