'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { text } = require('node:stream/consumers')
const { setTimeout: delay } = require('node:timers/promises')
const { multipart } = require('../..')
const { form, upload } = require('../support/upload')

const big = Buffer.alloc(2 ** 20, 'x')

/** What an app that iterates sees; `next` is called when it is done. */
function iterate (options, app) {
  const parser = multipart(options)
  return (req, res, next) => app(parser.parts(req, res), req).then(() => next(), next)
}

describe('parts', () => {
  it('yields fields and files in order', async () => {
    const seen = []
    const { error, body, files } = await upload(iterate({ extended: true, limit: '4mb' }, async (parts) => {
      for await (const part of parts) {
        seen.push('value' in part ? { ...part } : { field: part.field, name: part.name, type: part.type, text: (await text(part)).length })
      }
    }), form(['a[b]', '1'], ['f', big, 'x', 'image/png'], ['c', '2'], ['c', '3'], ['f', '', 'y']))
    assert.deepEqual([error, body, files], [undefined, undefined, undefined])
    assert.deepEqual(seen, [
      { field: 'a[b]', value: '1' },
      { field: 'f', name: 'x', type: 'image/png', text: 2 ** 20 },
      { field: 'c', value: '2' },
      { field: 'c', value: '3' },
      { field: 'f', name: 'y', type: 'text/plain', text: 0 }
    ])
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

  it('discards the unread rest of a file', async () => {
    const seen = []
    const { error } = await upload(iterate({ limit: '4mb' }, async (parts) => {
      for await (const { field } of parts) seen.push(field)
    }), form(['f', big, 'x'], ['a', '1'], ['g', big, 'y']))
    assert.deepEqual([error, seen], [undefined, ['f', 'a', 'g']])
  })

  it('holds the request back until the next part is asked for', async () => {
    let received
    const { error } = await upload(iterate({ limit: '64mb' }, async (parts, req) => {
      let bytes = 0
      req.on('data', (chunk) => { bytes += chunk.length })
      for await (const { field } of parts) {
        await delay(50)
        if (field === 'f') received = bytes
      }
    }), form(['f', Buffer.alloc(2 ** 24), 'x'], ['a', '1']))
    assert.equal(error, undefined)
    assert.ok(received < 2 ** 20, `${received} bytes`)
  })

  it('reads nothing before the first part is asked for', async () => {
    const seen = []
    for (const act of [() => {}, (parts) => parts.return()]) {
      await upload((req, res, next) => {
        const parts = multipart({ limit: '4mb' }).parts(req, res)
        Promise.resolve(act(parts)).then(() => seen.push(req.readableDidRead, req.readableFlowing), assert.fail).then(() => next())
      }, form(['f', big, 'x']))
    }
    assert.deepEqual(seen, [false, null, false, null])
  })

  it('throws request.aborted if the client left before', async () => {
    const req = new http.IncomingMessage(new net.Socket().destroy())
    Object.assign(req, { aborted: true, headers: { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' } })
    await assert.rejects(multipart().parts(req).next(), { type: 'request.aborted', status: 400 })
  })

  it('uses the options as they were when the parser was made', async () => {
    const options = { fields: { max: 1 } }
    const parse = iterate(options, async (parts) => { for await (const part of parts) part.field.at(0) })
    options.fields.max = 0
    options.limit = 1
    assert.equal((await upload(parse, form(['a', '1']))).error, undefined)
  })

  // [what, body, message, fields before, type]
  const faults = [
    ['a limit', form(['a', '1'], ['b', '2'], ['c', '3']), {}, ['a', 'b'], 'multipart.fields.too.many'],
    ['a body that is cut', form(['a', '1'], ['b', '2']).subarray(0, -10), {}, ['a'], 'multipart.unterminated'],
    ['a client that leaves', form(['a', '1'], ['b', '2']).subarray(0, -10), { cut: true }, ['a'], 'request.aborted'],
    ['a client that leaves in a file', form(['a', '1'], ['f', '2', 'x']).subarray(0, -10), { cut: true }, ['a', 'f'], 'request.aborted'],
    ['a boundary that is missing', form(), { headers: { 'Content-Type': 'multipart/form-data' } }, [], 'multipart.boundary.missing']
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

  // [where, condition]
  for (const [where, leaves] of [['field', ({ field }) => field === 'a'], ['file', ({ field }) => field === 'f'], ['field after a file', ({ field }) => field === 'b']]) {
    it(`ends when the loop ends at a ${where}, and the rest is drained`, async () => {
      const seen = []
      const { error, status } = await upload(iterate({ limit: '8mb' }, async (parts) => {
        for await (const part of parts) {
          seen.push(part.field)
          if (leaves(part)) break
        }
      }), form(['a', '1'], ['f', big, 'x'], ['b', '2'], ['g', big, 'y'], ['c', '3']))
      assert.deepEqual([error, status, seen.at(-1)], [undefined, 200, { field: 'a', file: 'f' }[where] ?? 'b'])
    })
  }

  it('ends when the loop ends before the next part arrives', async () => {
    const body = form(['a', '1'], ['b', '2'], ['f', big, 'x'])
    let drained
    const { error } = await upload(iterate({ limit: '4mb' }, async (parts, req) => {
      for await (const { field } of parts) if (field === 'a') break
      drained = once(req, 'end')
    }), [body.subarray(0, 100), ...Array(50).fill(Buffer.alloc(0)), body.subarray(100)], { handle: () => drained })
    assert.equal(error, undefined)
  })

  it('destroys a file that is not read when the loop throws', async () => {
    let file
    const { error } = await upload(iterate({ limit: '8mb' }, async (parts) => {
      for await (file of parts) throw new Error('no') // eslint-disable-line no-unreachable-loop
    }), form(['f', big, 'x'], ['f', big, 'x']))
    assert.equal(error.message, 'no')
    assert.deepEqual([file.destroyed, file.errored.message, file.errored.status, file.errored.type], [true, 'the parts are not read to the end', 400, 'multipart.abandoned'])
  })

  it('yields no parts of a request of another type', async () => {
    const seen = []
    const { error } = await upload(iterate({}, async (parts) => {
      for await (const part of parts) seen.push(part)
    }), Buffer.from('{}'), { headers: { 'Content-Type': 'application/json' } })
    assert.deepEqual([error, seen], [undefined, []])
  })
})
