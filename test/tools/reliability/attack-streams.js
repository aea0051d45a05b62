'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { once } = require('node:events')
const http = require('node:http')
const path = require('node:path')
const { inflateSync } = require('node:zlib')
const options = require('../../../reliability/attacks/streams/options')
const { closedLoop, openLoop, Pool } = require('../../../reliability/attacks/streams/open-loop')
const rows = require('../../../reliability/attacks/streams/rows')
const { run, summarize } = require('../../../reliability/attacks/streams/run')
const { rowText } = require('../../../reliability/attacks/streams/table')
const faultsOf = require('../../../reliability/attacks/streams/verdict')

const COMMAND = path.join(__dirname, '../../../reliability/attacks/streams')
const TARGETS = ['fast-body-parser', 'body-parser']
const rowOf = (name) => rows.find((row) => row.name === name)

describe('a stream of attacks', function () {
  this.timeout(30_000)

  for (const name of ['coded-tables-flipped-400', 'types', 'form-deep']) {
    it(`by ${rowOf(name).what} leaves the answers to innocents as they are`, async () => {
      const { rate, targets } = await run(rowOf(name), TARGETS, { rounds: 1, seconds: 0.3 })
      assert.ok(rate > 0)
      for (const target of TARGETS) {
        const { answers, busy, outcomes } = targets[target]
        assert.deepEqual(answers, { 200: 60 }, target)
        assert.ok(busy > 0)
        assert.deepEqual(Object.keys(outcomes).filter((outcome) => !rowOf(name).expect.includes(outcome)), [], target)
      }
    })
  }

  it('meets the parser of another folder', async () => {
    const folder = path.join(__dirname, '../../../tools/bare')
    const { targets } = await run(rowOf('json-late-fault'), ['fast-body-parser'], { rounds: 1, seconds: 0.2, parser: folder })
    assert.deepEqual(Object.keys(targets['fast-body-parser'].outcomes), ['500 undefined'])
  })

  it('has a name of its own', () => {
    assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
  })

  it('has bodies whose fault is in the last byte', async () => {
    const messageOf = await rowOf('coded-tables-flipped-200').prepare()
    const [body] = messageOf(0).pieces
    assert.throws(() => inflateSync(body), { code: 'Z_DATA_ERROR' })
    assert.equal(inflateSync(body.subarray(0, -1), { finishFlush: 2 }).length, 0)
  })
})

describe('an open loop', () => {
  let server
  let waiting

  beforeEach(async () => {
    waiting = []
    server = http.createServer((req, res) => { waiting.push(res) })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterEach(() => {
    server.close()
    server.closeAllConnections()
  })

  const get = async (connection) => {
    const responses = connection.responses(1, 10_000)
    connection.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
    return String((await responses)[0]?.status)
  }

  it('sends its requests although none is answered, and misses those that are too many', async () => {
    const { port } = server.address()
    const sending = openLoop(port, get, 10_000, 45) // 450 requests
    while (waiting.length < 400) await once(server, 'request')
    for (const res of waiting) res.end()
    server.on('request', (req, res) => res.end())
    const { latencies, missed, outcomes } = await sending
    assert.ok(missed > 0)
    assert.equal(latencies.length + missed, 450)
    assert.deepEqual(outcomes, { 200: 450 - missed })
  })

  it('uses idle connections again, but not those that were closed', async () => {
    server.on('request', (req, res) => res.end())
    let connections = 0
    server.on('connection', () => { connections++ })
    const pool = new Pool(server.address().port)
    assert.equal(await pool.use(get), '200')
    assert.equal(await pool.use(get), '200')
    assert.equal(connections, 1)
    const [idle] = pool.idle
    const closed = once(idle.socket, 'close')
    server.closeAllConnections()
    await closed
    assert.equal(await pool.use(get), '200')
    assert.equal(connections, 2)
    pool.close()
  })

  it('is closed for a probe: one request follows the other', async () => {
    server.on('request', (req, res) => {
      assert.equal(waiting.filter((one) => !one.writableEnded).length, 1)
      res.end()
    })
    assert.ok(await closedLoop(server.address().port, get, 20) > 0)
  })
})

describe('the verdict of a stream', () => {
  const load = { busy: 0.4, p50: 1, p99: 10, missed: 0, outcomes: { 200: 5 }, answers: { 200: 5 } }
  const row = { expect: ['200'] }

  it('is none if both are alike', () => {
    assert.deepEqual(faultsOf(row, load, load), [])
  })

  for (const [fault, change] of Object.entries({
    busy: { busy: 0.5 },
    p50: { p50: 3 },
    p99: { p99: 30 },
    missed: { missed: 1 },
    outcome: { outcomes: { 200: 4, '500 undefined': 1 } },
    innocents: { answers: { 200: 4, closed: 1 } }
  })) {
    it(`names what is worse: ${fault}`, () => {
      assert.deepEqual(faultsOf(row, { ...load, ...change }, load), [fault])
    })
  }

  it('judges only the figures that it is asked for', () => {
    assert.deepEqual(faultsOf(row, { ...load, busy: 1 }, load, ['p50', 'p99']), [])
  })

  it('is about the medians of all rounds', () => {
    const rounds = [1, 9, 2].map((value) => ({ busy: value, loop: value, cpu: value, p50: value, p99: value, missed: value, outcomes: { 200: 1 }, answers: { 200: value } }))
    assert.deepEqual(summarize(rounds), { busy: 2, loop: 2, cpu: 2, p50: 2, p99: 2, missed: 12, outcomes: { 200: 3 }, answers: { 200: 12 } })
  })

  it('is a row of the table', () => {
    const text = rowText({ name: 'x', rate: 400, ours: load, theirs: { ...load, busy: 0.5 }, faults: [] })
    assert.match(text, /^x +400 +0\.40 +0\.50 +1\.0 +1\.0 +10\.0 +10\.0 +ok$/)
    assert.match(rowText({ name: 'x', rate: 1, ours: load, theirs: load, cooperative: load, faults: ['busy', 'p50'] }), / 0\.40 .* busy, p50$/)
  })
})

describe('npm run attacks:streams', () => {
  it('selects streams by parts of their names', () => {
    assert.deepEqual(options.filter.read('tables-400,proto-array').map(({ name }) => name), ['coded-tables-400', 'form-proto-array'])
    assert.deepEqual(options.filter.default(), rows)
  })

  it('refuses wrong options in one line', () => {
    for (const [arg, message] of [['--filter=zzz', /--filter must be part of a stream's name, not "zzz"/], ['--seconds=0', /--seconds must be a number from 0\.1 to 60/]]) {
      const { status, stderr } = spawnSync(process.execPath, [COMMAND, arg], { encoding: 'utf8' })
      assert.equal(status, 2)
      assert.match(stderr, message)
    }
  })

  it('measures one stream, and exits with 0 or 1', function () {
    this.timeout(60_000)
    const { status, stdout } = spawnSync(process.execPath, [COMMAND, '--filter=charset-proto', '--rounds=1', '--seconds=0.2'], { encoding: 'utf8' })
    assert.match(stdout, /\ncharset-proto +\d+ /)
    assert.match(stdout, status === 0 ? /\n1 of 1 streams withstood\n$/ : /\n0 of 1 streams withstood\n$/)
  })
})
