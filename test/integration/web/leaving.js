'use strict'

// Clients that leave at each step of a form, on each runtime: the form fails, and leaves no file.

const assert = require('node:assert/strict')
const net = require('node:net')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { RUNTIMES, startServer } = require('../support/server')

const PROGRAMS = path.join(__dirname, 'programs/forms')
const HEAD = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
const FILE = 'x'.repeat(2 ** 20)
const TAIL = '\r\n--b--\r\n'
const LENGTH = HEAD.length + FILE.length + TAIL.length
const WHOLE = ['waiting', 'schema'] // ways that wait after the body

const TIMED = ['unread', 'filter', ...WHOLE] // ways that read nothing, and have a timeout

/** What has been sent when the client leaves. */
const STEPS = {
  'before the body': '',
  'in the header of a part': HEAD.slice(0, 20),
  'behind that header': HEAD,
  'in a file': HEAD + FILE.slice(0, FILE.length / 2),
  'before the last boundary': HEAD + FILE,
  'after the body': HEAD + FILE + TAIL
}

for (const [name, command] of Object.entries(RUNTIMES)) {
  describe(`a client that leaves ${name}`, () => {
    let child
    let port
    let count = 0

    before(async () => {
      ({ child, port } = await startServer([...command, 'leaving.mjs'], PROGRAMS))
    })

    after(() => child.kill())

    /** Has come as far as the server takes it. */
    async function leave (way, body) {
      const target = `/${way}/${count++}`
      const socket = net.connect(port, '127.0.0.1').on('error', () => {})
      socket.write(`POST ${target} HTTP/1.1\r\nHost: test\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
        `Content-Length: ${LENGTH}\r\n\r\n${body}`)
      await delay(50)
      socket.resetAndDestroy()
      const response = await fetch(`http://127.0.0.1:${port}${target}`)
      return response.json()
    }

    for (const [step, body] of Object.entries(STEPS)) {
      const isWhole = step === 'after the body'
      const ways = ['memory', 'disk', 'store', 'parts', 'unread', ...body.length > HEAD.length ? ['filter'] : []]
      for (const way of isWhole ? WHOLE : ways) {
        it(`${step}: ${way}`, async () => {
          const [outcome, left] = await leave(way, body)
          assert.equal(left, 0)
          if (TIMED.includes(way) && outcome !== '400 request.aborted') assert.equal(outcome, '408 request.timeout')
          else assert.equal(outcome, '400 request.aborted')
        })
      }
    }
  })
}
