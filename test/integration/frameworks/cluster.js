'use strict'

// a cluster under load: every answer is that of its own request, and
// all workers answer. How fast they do is not asked here.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')
const autocannon = require('autocannon')

const example = path.join(__dirname, 'support/cluster-app.js')
const workers = 2
const amount = 1200

describe('a cluster', () => {
  let primary, url
  let log = ''

  before(async () => {
    primary = spawn(process.execPath, [example], { env: { ...process.env, PORT: '0', WORKERS: String(workers) } })
    primary.stderr.setEncoding('utf8').on('data', (text) => { log += text })
    for await (const text of primary.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      url = /http:\/\/localhost:\d+\//.exec(text)?.[0].replace('localhost', '127.0.0.1')
      if (url) break
    } // once all workers listen
    assert.ok(url, log)
  })

  after(() => primary.kill('SIGKILL')) // its workers end when they lose it

  /** Every request has its own number, and bodies of some bytes up to some KB. */
  async function load () {
    let last = 0
    const wrong = []
    const pids = new Map() // to the number of answers
    const { errors, timeouts, mismatches, non2xx } = await autocannon({
      url,
      connections: 12,
      amount,
      requests: [{
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest: (request, context) => {
          context.id = ++last
          context.body = { id: last, fill: 'é'.repeat(last % 3000) }
          return { ...request, body: JSON.stringify(context.body) }
        },
        onResponse: (status, text, context) => {
          const { pid, body } = JSON.parse(text)
          pids.set(pid, (pids.get(pid) ?? 0) + 1)
          if (status !== 200 || JSON.stringify(body) !== JSON.stringify(context.body)) wrong.push(text)
        }
      }]
    })
    assert.deepEqual({ errors, timeouts, mismatches, non2xx, wrong },
      { errors: 0, timeouts: 0, mismatches: 0, non2xx: 0, wrong: [] })
    assert.equal([...pids.values()].reduce((sum, count) => sum + count), amount)
    return pids
  }

  it('answers every request right, each worker its share', async () => {
    const pids = await load()
    assert.equal(pids.size, workers)
    for (const count of pids.values()) assert.ok(count > amount / 20, [...pids.values()].join())
  })

  it('goes on with another worker when one dies', async () => {
    const before = await load()
    const [victim] = before.keys()
    const started = once(primary.stderr, 'data')
    process.kill(victim, 'SIGKILL')
    await started
    assert.match(log, new RegExp(`worker ${victim} ended \\(SIGKILL\\)`))
    let pids
    for (let tries = 0; tries < 10 && pids?.size !== workers; tries++) pids = await load() // it takes a while to start
    assert.equal(pids.size, workers)
    assert.ok(!pids.has(victim))
  })

  it('refuses bodies in every worker', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, async () => {
      const headers = { 'content-type': 'application/json', connection: 'close' }
      const response = await fetch(url, { method: 'POST', headers, body: `["${'x'.repeat(200_000)}"]` })
      return { status: response.status, ...await response.json() }
    }))
    for (const { status, error } of answers) {
      assert.deepEqual({ status, error }, { status: 413, error: 'entity.too.large' })
    }
    assert.equal(new Set(answers.map(({ pid }) => pid)).size, workers)
  })

  it('ends when it is asked to', async () => {
    primary.kill('SIGTERM')
    const [code, signal] = await once(primary, 'exit')
    assert.deepEqual({ code, signal }, { code: 0, signal: null })
  })
})
