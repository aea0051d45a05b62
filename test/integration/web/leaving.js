'use strict'

// Clients that leave in the middle of a form, on each runtime: the form fails, and leaves no file.

const assert = require('node:assert/strict')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { RUNTIMES, Server } = require('../support/server')

const PROGRAMS = path.join(__dirname, 'programs/forms')
const HEAD = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
const FILE = 'x'.repeat(2 ** 20)
const TAIL = '\r\n--b--\r\n'
const FIELDS = {
  'Content-Type': 'multipart/form-data; boundary=b',
  'Content-Length': HEAD.length + FILE.length + TAIL.length
}
const TIMED = ['unread', 'filter', 'schema'] // ways that read nothing, and have a timeout

/** What has been sent when the client leaves, and ways to read it. */
const STEPS = {
  'before the body': ['', ['disk', 'unread']],
  'in a file': [HEAD + FILE.slice(0, FILE.length / 2), ['disk', 'store', 'parts', 'unread', 'filter']],
  'after the body': [HEAD + FILE + TAIL, ['schema']]
}

for (const [name, command] of Object.entries(RUNTIMES)) {
  describe(`a client that leaves ${name}`, () => {
    let server

    before(async () => {
      server = await Server.start([...command, 'leaving.mjs'], PROGRAMS)
    })

    after(() => server.stop())

    for (const [step, [body, ways]] of Object.entries(STEPS)) {
      for (const way of ways) {
        it(`${step}: ${way}`, async () => {
          const target = `/${way}/${encodeURIComponent(step)}`
          const socket = server.connect(target, FIELDS)
          socket.write(body)
          await delay(50)
          socket.resetAndDestroy()
          const [, [outcome, left]] = await server.ask(target)
          assert.equal(left, 0)
          if (TIMED.includes(way) && outcome !== '400 request.aborted') assert.equal(outcome, '408 request.timeout')
          else assert.equal(outcome, '400 request.aborted')
        })
      }
    }
  })
}
