'use strict'

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { after, before, describe, it } = require('mocha')
const { readSettings } = require('../../../perf/fairness/options')
const { mediansOf } = require('../../../perf/fairness/result')
const strategies = require('../../../perf/fairness/strategies')
const TurnMeter = require('../../../perf/fairness/turn-meter')
const { record } = require('../../../perf/scenarios/payloads')
const { json } = require('../../../perf/scenarios/requests')
const { block, fairness } = require('./support/fairness')

const PERF = path.join(__dirname, '../../../perf')
const HOLD = 60 // ms

describe('perf/fairness/options', () => {
  it('have defaults', () => {
    const { rate, megabytes, only, nodeFlags, postRate } = readSettings([])
    assert.deepEqual({ rate, megabytes, nodeFlags, postRate }, { rate: 200, megabytes: 10, nodeFlags: [], postRate: null })
    assert.deepEqual(only, strategies.map(({ id }) => id))
  })

  it('take some of the strategies', () => {
    assert.deepEqual(readSettings(['--only=cooperative, alone']).only, ['cooperative', 'alone'])
  })

  it('take flags of Node.js', () => {
    assert.deepEqual(readSettings(['--node-flags=--max-semi-space-size=1 --expose-gc']).nodeFlags, ['--max-semi-space-size=1', '--expose-gc'])
  })

  for (const [arg, message] of [
    ['--rate=0', /--rate must be a number from 1 to 5000/],
    ['--seconds=x', /--seconds must be a number/],
    ['--rounds=1.5', /--rounds must be a whole number/],
    ['--streams=0', /--streams must be a whole number from 1/],
    ['--only=alone,none', /--only must be some of alone, body-parser, .*, not "none"/],
    ['--node-flags=x.js', /--node-flags must be flags such as .*, not "x.js"/],
    ['--json=x.txt', /--json must be the name of a file that ends in \.json/],
    ['--chart=x.png', /--chart must be the name of a file that ends in \.svg/],
    ['--what', /Unknown option '--what'/]
  ]) it(`refuse ${arg}`, () => assert.throws(() => readSettings([arg]), message))

  it('refuse a rate and a time that are not enough for one request', () => {
    assert.throws(() => readSettings(['--rate=1', '--seconds=0.5']), /--seconds must be enough for one request/)
  })

  it('refuse what has no effect', () => {
    assert.throws(() => readSettings(['--from=x.json', '--rate=5']), /--rate does nothing beside --from/)
  })
})

describe('perf/fairness/turn-meter', () => {
  it('sees what holds the loop, and the time and CPU between start and stop', async () => {
    const meter = new TurnMeter()
    meter.start()
    await sleep(20)
    for (let time = 0; time < 3; time++) {
      const end = performance.now() + HOLD
      while (performance.now() < end);
      await sleep(20)
    }
    meter.stop()
    const { hold, holdP99, longHolds, elapsed, cpu, rssPeak } = meter.report()
    assert.ok(hold >= HOLD - 2, `${hold} ms`) // the timer that looks is due a little after the turn began
    assert.ok(holdP99 <= hold)
    assert.ok(longHolds >= 3)
    assert.ok(elapsed >= 3 * HOLD * 1e6)
    assert.ok(cpu > 0 && rssPeak > 1e6)
  })

  it('counts garbage collection', async () => {
    const meter = new TurnMeter()
    meter.start()
    await sleep(20) // the first look
    let kept
    for (let i = 0; i < 2e6; i++) kept = { kept: i % 1000 === 0 ? null : kept }
    await sleep(20)
    meter.stop()
    const { gc, gcTime, hold } = meter.report()
    assert.ok(gc > 0 && gcTime >= gc)
    assert.ok(hold >= gc)
  })
})

describe('perf/fairness/result', () => {
  it('has the medians of the blocks', () => {
    const { p99, postRate } = mediansOf([block(1, 10), block(9, 30), block(2, 20)])
    assert.equal(p99, 6)
    assert.equal(postRate, 2)
  })

  it('leaves out blocks without a value', () => {
    assert.equal(mediansOf([block(1, 0), block(1, 10), block(1, 0)]).cpuPerPost, 50)
    assert.equal(mediansOf([block(1, 0)]).cpuPerPost, null)
  })
})

describe('perf/fairness: table and chart', () => {
  it('show every strategy', () => {
    const text = require('../../../perf/fairness/table')(fairness())
    assert.match(text, /no large posts +1\.05 +3\.15/)
    assert.match(text, /body-parser 2\.4\.0 +105 +315/)
    assert.match(text, /p99 is 1\.50 times that without large posts/)
    assert.match(text, /0\.0 % more large posts a second beside body-parser/)
  })

  it('escape what they show', () => {
    const svg = require('../../../perf/fairness/chart')(fairness())
    assert.match(svg, /^<svg /)
    assert.match(svg, /ours, &lt;cooperative&gt;/)
    assert.doesNotMatch(svg, /<cooperative>|NaN|undefined|>null/)
    assert.match(svg, /twice the p99 of none/)
  })

  it('do without a baseline', () => {
    const result = fairness()
    result.strategies.shift()
    assert.doesNotMatch(require('../../../perf/fairness/table')(result), /without large posts\n/)
    assert.doesNotMatch(require('../../../perf/fairness/chart')(result), /twice the p99/)
  })
})

describe('perf/fairness/large-posts', () => {
  let server
  let url
  let respond

  before(async () => {
    server = http.createServer((req, res) => req.resume().on('end', () => respond(res))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${server.address().port}`
  })

  after(() => {
    server?.close()
    server?.closeAllConnections()
  })

  function createPosts (postRate = null) {
    const LargePosts = require('../../../perf/fairness/large-posts')
    return new LargePosts(json(record(300_000), 300_000), { url, streams: 2, postRate })
  }

  it('posts on each connection, one after the other', async () => {
    let seen = 0
    let reached
    const five = new Promise((resolve) => { reached = resolve })
    respond = (res) => {
      if (++seen === 5) reached()
      res.end('the-end!')
    }
    const posts = createPosts()
    const began = performance.now()
    posts.start()
    await five
    await posts.stop()
    assert.equal(posts.problem, null)
    assert.ok(posts.answered.length >= 3) // both connections may have one underway
    assert.equal(posts.between(began, performance.now()).length, posts.answered.length)
    assert.deepEqual(posts.between(0, began), [])
  })

  it('aborts posts that are not answered, without a problem', async () => {
    respond = () => {}
    const posts = createPosts()
    posts.start()
    await once(server, 'request')
    await posts.stop()
    assert.equal(posts.problem, null)
    assert.deepEqual(posts.answered, [])
  })

  it('posts no faster than it is told to', async () => {
    let seen = 0
    respond = (res) => {
      seen++
      res.end('the-end!')
    }
    const posts = createPosts(0.01)
    posts.start()
    await once(server, 'request')
    await sleep(100)
    await posts.stop()
    assert.equal(seen, 1)
  })

  it('finds a wrong answer to a large post', async () => {
    respond = (res) => {
      res.statusCode = 500
      res.end('Bad object')
    }
    const posts = createPosts()
    posts.start()
    await Promise.all(posts.running)
    await posts.stop()
    assert.match(posts.problem, /a large post had the answer 500 "Bad object"/)
  })
})

describe('perf/fairness/parsers', () => {
  const value = record(300_000)
  const bytes = Buffer.from(JSON.stringify(value))

  async function * feed () {
    for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
  }

  for (const [id, parser] of Object.entries(require('../../../perf/fairness/parsers'))) {
    it(`${id} parses, two at once`, async () => {
      try {
        for (const parsed of await Promise.all([parser.parse(feed()), parser.parse(feed())])) assert.deepEqual(parsed, value)
      } finally {
        await parser.close?.()
      }
    })
  }

  it('a worker thread says what is wrong', async () => {
    const { parse, close } = require('../../../perf/fairness/parsers').worker
    try {
      await assert.rejects(parse([Buffer.from('[1,')]), SyntaxError)
      assert.deepEqual(await parse([Buffer.from('[1]')]), [1])
    } finally {
      await close()
    }
  })
})

describe('perf/fairness', function () {
  this.timeout(60_000) // ms; a process for each block

  let folder

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perf-fairness-'))
  })

  after(() => folder && fs.rmSync(folder, { recursive: true }))

  it('measures each strategy, and writes what it can draw again', async () => {
    const file = path.join(folder, 'x.json')
    const { status, stdout, stderr } = await run([
      '--mb=0.3', '--rate=50', '--seconds=0.4', '--warmup=0.1', '--rounds=1', '--node-flags=--max-semi-space-size=1', `--json=${file}`
    ])
    assert.equal(status, 0, stderr)
    const result = JSON.parse(fs.readFileSync(file, 'utf8'))
    assert.deepEqual(result.strategies.map(({ id }) => id), strategies.map(({ id }) => id))
    for (const { id, version, blocks } of result.strategies) {
      assert.equal(blocks.length, 1)
      assert.equal(typeof version, ['alone', 'worker'].includes(id) ? 'object' : 'string', id)
      for (const { responses, posts, latency, hold } of blocks) {
        assert.ok(responses >= 3 && responses <= 60, `${responses} of about 20`)
        assert.ok(latency.p50 > 0 && hold > 0)
        if (id === 'alone') assert.equal(posts, 0)
      }
    }
    assert.deepEqual(result.settings.nodeFlags, ['--max-semi-space-size=1'])
    for (const key of ['date', 'machine', 'node', 'commit']) assert.ok(key in result, key)

    const [chart, summary] = ['x.svg', 'y.json'].map((name) => path.join(folder, name))
    assert.equal((await run([`--from=${file}`, `--summary=${summary}`])).stdout, stdout)
    assert.equal((await run([`--from=${summary}`, `--chart=${chart}`])).status, 0)
    assert.match(fs.readFileSync(chart, 'utf8'), /^<svg/)
    assert.deepEqual(fs.readdirSync(folder).sort(), ['x.json', 'x.svg', 'y.json'])
  })

  it('tells in one line what is wrong', async () => {
    const { status, stderr } = await run(['--from=nowhere.json'])
    assert.equal(status, 1)
    assert.match(stderr, /^error: cannot read .*nowhere\.json.*\n$/)
  })
})

async function run (args) {
  const child = spawn(process.execPath, [path.join(PERF, 'fairness/index.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text })
  child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text })
  const [status] = await once(child, 'close')
  return { status, stdout, stderr }
}
