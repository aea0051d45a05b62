'use strict'

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const { competitors } = require('../../../bench/competitors')
const { json } = require('../../../bench/rows/bodies')
const { post } = require('../../../bench/rows/row')
const Load = require('../../../bench/servers/load')
const measureMemory = require('../../../bench/servers/memory')
const { messageOf } = require('../../../bench/servers/session')
const { stacks } = require('../../../bench/servers/stacks')
const IpcProcess = require('../../../tools/ipc-process')

const BENCH = path.join(__dirname, '../../../bench')
const TIME = 120_000 // ms
const NAMED = '{"name":"x"}'

async function run (...args) {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: BENCH, maxBuffer: 2 ** 26 })
  return stdout
}

/** A request that the check refuses or leaves unread. */
const CHECKS = [
  ['type', { 'content-type': 'text/html' }, NAMED],
  ['limit', {}, JSON.stringify({ name: 'x', more: ' '.repeat(2 ** 21) })],
  ['charset', { 'content-type': 'application/json; charset=foo' }, NAMED],
  ['coding', { 'content-encoding': 'foo' }, NAMED],
  ['strict', {}, '"text"', 400],
  ['__proto__', {}, '{"name":"x","__proto__":{"a":1}}']
]

describe('the stacks of bench/', function () {
  this.timeout(TIME)

  for (const { name, checks } of stacks) {
    it(`${name} makes the checks that it claims, and no other`, async () => {
      const server = new IpcProcess(name, [process.execPath, path.join(BENCH, 'servers/server-process.js'), JSON.stringify({ stack: name })], BENCH)
      try {
        const { host, port } = await server.ready(TIME)
        const send = async (headers, body) => {
          const response = await fetch(`http://${host}:${port}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
          return { status: response.status, text: await response.text() }
        }
        assert.deepEqual(await send({}, NAMED), { status: 200, text: NAMED })
        const made = []
        for (const [check, headers, body, refusal] of CHECKS) {
          const { status, text } = await send(headers, body)
          if (refusal === undefined ? text !== NAMED : status === refusal) made.push(check)
        }
        assert.deepEqual(made.sort(), [...checks].sort())
      } finally {
        await server.close()
      }
    })
  }

  it('are measured in both loops, and charted', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-stacks-'))
    try {
      const [file, chart, summary] = ['stacks.json', 'stacks.svg', 'stacks.md'].map((name) => path.join(folder, name))
      await run('stacks.js', '--sets=1', '--rounds=2', '--seconds=0.05', '--warm-up=0.1', '--connections=2', '--rate=200', `--json=${file}`)
      const table = await run('stacks.js', `--from=${file}`, `--chart=${chart}`, `--summary=${summary}`)
      const [svg, markdown] = [chart, summary].map((name) => fs.readFileSync(name, 'utf8'))
      for (const { name } of stacks) for (const text of [table, svg, markdown]) assert.ok(text.includes(name), name)
      for (const { closed, open } of JSON.parse(fs.readFileSync(file, 'utf8')).stacks) {
        for (const { cpu, rate, p50, p99 } of [...closed, ...open]) assert.ok(cpu > 0 && rate > 0 && p50 > 0 && p99 >= p50)
      }
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })
})

describe('rows of bench/ in a server', function () {
  this.timeout(TIME)

  it('are compared with what the row predicts, refused and skipped ones as well', async () => {
    for (const filter of ['refused: bad JSON', 'GET through', 'gzip']) {
      assert.match(await run('servers.js', '--quick', `--filter=${filter}`), new RegExp(`│ [^│]*${filter}[^│]* +│ +-?[\\d.]+ │ +-?[\\d.]+ ±[\\d.]+ │ +-?\\d+ │`))
    }
  })

  it('take as much memory as the server at its peak', async () => {
    const ours = competitors.find(({ name }) => name === 'ours')
    const { first, one, three } = await measureMemory(ours, { node: process.execPath, holders: 1, connections: 4, bytes: 1e6 })
    assert.ok(first[0] > 3e7 && one[0] >= first[0] && three[0] >= one[0], JSON.stringify({ first, one, three }))
  })
})

describe('the load of bench/', () => {
  const message = messageOf(post('json', json(274)))
  let server

  beforeEach(async () => {
    server = http.createServer((req, res) => req.resume().on('end', () => res.end('done')))
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const settings = () => ({ ...server.address(), host: '127.0.0.1', message, connections: 3, expected: { status: 200, body: 'done' } })

  for (const [loop, rate] of [['closed', null], ['open', 2000]]) {
    it(`counts every response in a loop that is ${loop}, once`, async () => {
      let served = 0
      server.on('request', () => { served++ })
      const load = new Load(settings())
      load.begin()
      load.start(rate)
      await new Promise((resolve) => server.on('request', () => { if (served > 50) resolve() }))
      await load.stop()
      const latencies = load.end()
      assert.equal(latencies.length, served)
      assert.ok(latencies.every((latency, i) => latency > 0 && (i === 0 || latency >= latencies[i - 1])))
      load.close()
    })
  }

  it('sends a burst on each connection', async () => {
    let served = 0
    server.on('request', () => { served++ })
    const load = new Load(settings())
    await load.burst()
    assert.equal(served, 3)
    load.close()
  })

  it('fails where an answer is not the expected one', async () => {
    const load = new Load({ ...settings(), expected: { status: 200, body: 'other' } })
    await assert.rejects(load.burst(1), /^Error: 200 done instead of 200 other$/)
    load.close()
  })

  it('fails where a connection is closed', async () => {
    server.on('request', (req) => req.socket.destroy())
    const load = new Load(settings())
    await assert.rejects(load.burst(1), /closed|ECONNRESET|EPIPE/)
    load.close()
  })
})
