'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const { Writable } = require('node:stream')
const { text } = require('node:stream/consumers')
const { multipart } = require('../../../')
const FieldPart = require('../../../lib/uploads/form/field-part')
const schemaOf = require('../../support/schema-of')
const { TYPE, form, iterate: iterateOver, upload } = require('../../support/upload')

const big = Buffer.alloc(600_000, 'x')

const iterate = (options, app) => iterateOver(multipart(options), app)

describe('parts', () => {
  it('yields fields and files in order, whatever the store and the schema', async () => {
    const seen = []
    const options = { extended: true, store: 'stream', limit: '4mb', schema: schemaOf(() => assert.fail('checked')) }
    const { error, body, files } = await upload(iterate(options, async (parts) => {
      for await (const part of parts) {
        const { headers, ...shown } = part
        const { field, name, folder, type } = part
        seen.push('value' in part
          ? { ...shown, bytes: part.bytes.toString() }
          : { field, name, folder, type, text: (await text(part)).length })
      }
    }), form(['a[b]', '1'], ['f', big, 'a/b/x', 'image/png'], ['c', '2'], ['c', '3'], ['f', '', 'y']))
    assert.deepEqual([error, body, files], [undefined, undefined, undefined])
    assert.deepEqual(seen, [
      { field: 'a[b]', value: '1', type: 'text/plain', bytes: '1' },
      { field: 'f', name: 'x', folder: 'a/b', type: 'image/png', text: big.length },
      { field: 'c', value: '2', type: 'text/plain', bytes: '2' },
      { field: 'c', value: '3', type: 'text/plain', bytes: '3' },
      { field: 'f', name: 'y', folder: '', type: 'text/plain', text: 0 }
    ])
  })

  it('has the type and the bytes of each field, as they were sent', async () => {
    const sent = Buffer.from([0xEF, 0xBB, 0xBF, 0xFF, 0x00, 0xE9])
    const long = Buffer.alloc(5000, sent)
    const body = form(['a', sent, undefined, 'application/octet-stream; charset=iso-8859-1'],
      ['b', long, undefined, 'Application/JSON'], ['c', ''])
    for (const pieces of [[body], [body.subarray(0, 2000), body.subarray(2000)]]) {
      const seen = []
      const { error } = await upload(iterate({}, async (parts) => { for await (const part of parts) seen.push(part) }),
        pieces)
      assert.equal(error, undefined)
      assert.deepEqual(seen.map(({ field, type, bytes }) => [field, type, bytes]), [
        ['a', 'application/octet-stream', sent],
        ['b', 'application/json', long],
        ['c', 'text/plain', Buffer.alloc(0)]
      ])
      assert.equal(seen[0].value, sent.toString('latin1'))
    }
  })

  it('have bytes of fields that do not keep the chunk around them', () => {
    const chunk = Buffer.alloc(2 ** 20, 'x')
    const part = new FieldPart({}, Infinity, {})
    part.write(chunk, 5, 8, true)
    assert.deepEqual([String(part.copy()), part.copy().buffer === chunk.buffer], ['xxx', false])
  })

  it('have the options of their parser', async () => {
    const { error } = await upload(iterate({ timeout: 50 }, async (parts) => {
      for await (const { field } of parts) assert.fail(field)
    }), form(['f', 'text', 'x']).subarray(0, 20), { headers: { 'Content-Length': 30 } })
    assert.equal(error.type, 'request.timeout')
  })

  it('may be replaced by tools that instrument a parser', () => {
    const { value, ...flags } = Object.getOwnPropertyDescriptor(multipart(), 'parts')
    assert.deepEqual([typeof value, flags], ['function', { configurable: true, enumerable: false, writable: true }])
  })

  it('reads nothing before the first part is asked for', async () => {
    const seen = []
    for (const act of [() => {}, (parts) => parts.return()]) {
      await upload((req, res, next) => {
        const parts = multipart({ limit: '4mb' }).parts(req, res)
        Promise.resolve(act(parts))
          .then(() => seen.push(req.readableDidRead, req.readableFlowing), assert.fail)
          .then(() => next())
      }, form(['f', big, 'x']))
    }
    assert.deepEqual(seen, [false, null, false, null])
  })

  // [what, body, message, fields before, type]
  const faults = [
    ['a limit', form(['a', '1'], ['b', '2'], ['c', '3']), {}, ['a', 'b'], 'multipart.fields.too.many'],
    ['a client that leaves in a file', form(['a', '1'], ['f', '2', 'x']).subarray(0, -10), { cut: true }, ['a', 'f'],
      'request.aborted'],
    ['a boundary that is missing', form(), { headers: { 'Content-Type': 'multipart/form-data' } }, [],
      'multipart.boundary.missing']
  ]
  for (const [what, body, message, before, type] of faults) {
    it(`fails with the error of ${what}`, async () => {
      const seen = []
      const { error, calls } = await upload(iterate({ fields: { max: 2 } }, async (parts) => {
        for await (const part of parts) {
          seen.push(part.field)
          if ('name' in part) await text(part)
        }
      }), body, message)
      assert.deepEqual([error.type, seen, calls], [type, before, 1])
    })
  }

  it('ends when the loop ends at a file, and the rest is drained', async () => {
    const seen = []
    const { error, status } = await upload(iterate({ limit: '8mb' }, async (parts) => {
      for await (const { field, name } of parts) {
        seen.push(field)
        if (name !== undefined) break
      }
    }), form(['a', '1'], ['f', big, 'x'], ['b', '2'], ['g', big, 'y'], ['c', '3']))
    assert.deepEqual([error, status, seen], [undefined, 200, ['a', 'f']])
  })

  it('ends when the loop ends before the next part arrives', async () => {
    const body = form(['a', '1'], ['b', '2'], ['f', big, 'x'])
    let drained
    const { error } = await upload(iterate({ limit: '4mb' }, async (parts, req) => {
      for await (const { field } of parts) if (field === 'a') break
      drained = once(req, 'end')
    }), [body.subarray(0, 100), ...Array(50).fill(Buffer.alloc(0)), body.subarray(100)], { handle: () => drained })
    assert.equal(error, undefined)
  })

  for (const [what, isRead] of [['not read', false], ['read', true]]) {
    it(`makes a file that is ${what} an error when the loop throws`, async () => {
      let file
      let reading
      const { error } = await upload(iterate({ limit: '8mb' }, async (parts) => {
        for await (file of parts) { // eslint-disable-line no-unreachable-loop
          if (isRead) reading = text(file).catch((error) => error)
          throw new Error('no')
        }
      }), form(['f', big, 'x'], ['f', big, 'x']))
      const fault = await (reading ?? text(file).catch((error) => error))
      assert.deepEqual([error.message, fault.message, fault.status, fault.type],
        ['no', 'the parts are not read to the end', 400, 'multipart.abandoned'])
    })
  }

  it('ends a file that is being piped before it gives the next part', async () => {
    const chunks = []
    const seen = []
    await upload(iterate({ limit: '4mb' }, async (parts) => {
      for await (const part of parts) {
        seen.push([part.field, Buffer.concat(chunks).length])
        if (part.field === 'f') {
          part.pipe(new Writable({
            highWaterMark: 1,
            write (chunk, encoding, done) { chunks.push(chunk); setImmediate(done) }
          }))
        }
      }
    }), form(['f', big, 'x'], ['a', '1']))
    assert.deepEqual(seen, [['f', 0], ['a', big.length]])
  })

  it('gives each part once to calls of next that do not wait for each other', async () => {
    const seen = []
    await upload(iterate({ limit: '4mb' }, (parts) =>
      Promise.all(Array.from({ length: 7 }, () => parts.next().then(async ({ done, value }) => {
        if (done) return seen.push('done')
        seen.push(value.field)
        if (value.field !== 'f') return
        const outcome = await text(value).then((content) => content.length, (error) => error.type)
        assert.ok([big.length, 'multipart.file.discarded'].includes(outcome), outcome)
      })))), form(['f', big, 'x'], ['a', '1'], ['f', big, 'y'], ['b', '2']))
    assert.deepEqual(seen, ['f', 'a', 'f', 'b', 'done', 'done', 'done'])
  })

  // [what, message, type]
  for (const [what, body, headers, type] of [
    ['another type', '{}', { 'Content-Type': 'application/json ; x=y' }, 'media.type.unsupported'],
    ['no type', '{}', { 'Content-Type': '' }, 'media.type.unsupported'],
    ['another type, without content', '', { 'Content-Type': 'application/json' }, undefined]
  ]) {
    it(`${type ? 'throws the 415 for' : 'yields no parts of'} a request of ${what}`, async () => {
      const { error } = await upload(iterate({}, async (parts) => {
        for await (const part of parts) assert.fail(part)
      }), Buffer.from(body), { headers })
      assert.deepEqual([error?.type, error?.status], [type, type && 415])
      const named = headers['Content-Type'] === '' ? ': the request names none' : ' "application/json"'
      assert.equal(error?.message, type && `unsupported media type${named}`)
    })
  }

  it('throws stream.not.readable to a second loop over the same request', async () => {
    const parser = multipart()
    const seen = []
    const { error } = await upload(async (req, res, next) => {
      const [first, second] = [parser.parts(req, res), parser.parts(req, res)]
      seen.push((await first.next()).value.field)
      await second.next().catch(({ type }) => seen.push(type))
      seen.push((await first.next()).value.field, (await first.next()).done)
      next()
    }, form(['a', '1'], ['b', '2']))
    assert.deepEqual([error, seen], [undefined, ['a', 'stream.not.readable', 'b', true]])
  })

  it('reads a body that other code has read before, with the option buffered', async () => {
    const headers = { 'content-type': TYPE, 'content-length': '1' }
    const req = { headers, rawBody: form(['a', '1'], ['f', 'one', 'x']) }
    const parser = multipart({ buffered: true })
    const seen = []
    for (let count = 0; count < 2; count++) { // it is no stream, and may carry the next request
      for await (const part of parser.parts(req, {})) seen.push(part.field)
    }
    assert.deepEqual(seen, ['a', 'f', 'a', 'f'])
  })
})
