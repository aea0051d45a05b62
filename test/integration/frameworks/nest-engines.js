'use strict'

// Uploads to NestJS 11 that fail, over multer and over its stand-in: what the
// client, and the app's exception filter, are told, and what is left.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const net = require('node:net')
const { setTimeout: delay } = require('node:timers/promises')
const { field, file, form, ours, theirs } = require('../../support/multer-rows')
const { INTERCEPTORS, startNest } = require('./support/nest-engines')

const SHORT = 500 // ms for an answer that does not come
const LONG = 10_000 // ms; the machine may be busy
const begun = field('a') + file('f', 'f', 'x'.repeat(300_000))
const small = form(file('f', 'f')) // Node notices that a client has left only while it reads
const whole = form(field('a'), file('f', 'f', 'x'.repeat(300_000)))

describe('NestJS 11, uploads that fail', function () {
  this.timeout(60_000)
  let sides

  before(async () => {
    sides = [await startNest(ours), await startNest(theirs)]
  })

  after(async () => {
    for (const side of sides ?? []) await side.close()
  })

  afterEach(() => {
    for (const side of sides) side.clear()
  })

  /** What one side answers and throws; `leaves`: the client, before the end unless `isWhole`. */
  async function send ({
    port,
    exception,
    left,
    untilBegun
  }, route, body, { leaves = false, isWhole = !leaves, patience = LONG } = {}) {
    const thrown = exception()
    const socket = net.connect(port, '127.0.0.1').on('error', () => {})
    let answer = ''
    socket.on('data', (chunk) => { answer += chunk })
    const length = Buffer.byteLength(body) + (isWhole ? 0 : 1)
    socket.write(`POST /${route} HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`)
    await new Promise((resolve) => socket.write(body, resolve))
    if (leaves) {
      await untilBegun()
      socket.destroy()
    }
    const error = await Promise.race([thrown, delay(patience, null, { ref: false })])
    if (error !== null && !leaves) await once(socket, 'close')
    socket.destroy()
    const [, status] = answer.split(' ')
    const { message } = answer.includes('\r\n\r\n{') ? JSON.parse(answer.split('\r\n\r\n')[1]) : {}
    return { status: Number(status) || undefined, message, thrown: error?.message, left: left().length }
  }

  const both = (route, body, more) => Promise.all(sides.map((side) => send(side, route, body, more)))

  for (const interceptor of Object.keys(INTERCEPTORS)) {
    describe(interceptor, () => {
      it('throws the same error for a client that leaves, and no file is left', async () => {
        const outcomes = await both(`${interceptor}-disk`, begun, { leaves: true })
        assert.deepEqual(outcomes,
          Array(2).fill({ status: undefined, message: undefined, thrown: 'Request aborted', left: 0 }))
      })

      it('leaves no file of an engine whose client leaves, where one is left with multer', async () => {
        const outcomes = await both(`${interceptor}-engine`, begun, { leaves: true })
        assert.deepEqual(outcomes.map(({ thrown, left }) => [thrown, left]),
          [['Request aborted', 0], ['Request aborted', 1]])
      })

      it('answers 400 to a form without an end, and no file is left', async () => {
        const message = 'Multipart: Unexpected end of form'
        const stored = { status: 400, message, thrown: message, left: 0 }
        assert.deepEqual(await both(`${interceptor}-disk`, begun), [stored, stored])
        assert.deepEqual(await both(`${interceptor}-engine`, begun), [stored, { ...stored, left: 1 }])
      })

      it('answers 413 to a file over a limit, and no file is left', async () => {
        const outcomes = await both(`${interceptor}-limit`, whole)
        assert.deepEqual(outcomes,
          Array(2).fill({ status: 413, message: 'File too large', thrown: 'File too large', left: 0 }))
      })

      it('answers 413 to a form over the total limit, which multer does not have', async () => {
        const wait = (side, patience) => send(side, `${interceptor}-total`, whole, { patience })
        const [seen, expected] = await Promise.all([wait(sides[0], LONG), wait(sides[1], SHORT)])
        const message = 'Form too large: at most 1000 bytes'
        assert.deepEqual(seen, { status: 413, message, thrown: message, left: 0 })
        assert.equal(expected.status, 200)
      })

      it('ends when the client leaves while a filter has not called back', async () => {
        const outcomes = await both(`${interceptor}-silent`, small, { leaves: true })
        assert.deepEqual(outcomes.map(({ thrown }) => thrown), ['Request aborted', 'Request aborted'])
      })

      it('ends when it leaves after it has sent everything, where it hangs with multer', async () => {
        const wait = (side, patience) =>
          send(side, `${interceptor}-silent`, small, { leaves: true, isWhole: true, patience })
        const outcomes = await Promise.all([wait(sides[0], LONG), wait(sides[1], SHORT)])
        assert.deepEqual(outcomes.map(({ thrown }) => thrown), ['Request aborted', undefined])
      })

      it('answers 408 after a timeout if a filter never calls back', async () => {
        const { status, left } = await send(sides[0], `${interceptor}-timeout`, whole)
        assert.deepEqual([status, left], [408, 0])
      })
    })
  }
})
