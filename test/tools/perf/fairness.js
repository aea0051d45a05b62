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
const { readArguments } = require('../../../perf/fairness/arguments')
const { mediansOf } = require('../../../perf/fairness/result')
const strategies = require('../../../perf/fairness/strategies')
const TurnMeter = require('../../../perf/fairness/turn-meter')
const { record } = require('../../../perf/payloads')
const { json } = require('../../../perf/requests')
const { block, fairness } = require('./support/fairness')

const PERF = path.join(__dirname, '../../../perf')
const HOLD = 60 // ms

describe('perf/fairness: arguments', () => {
  it('have defaults', () => {
    const { rate, megabytes, only, nodeFlags, postRate } = readArguments([])
    assert.deepEqual({ rate, megabytes, nodeFlags, postRate }, { rate: 200, megabytes: 10, nodeFlags: [], postRate: null })
    assert.deepEqual(only, strategies.map(({ id }) => id))
  })

  it('keep the order of the strategies', () => {
    assert.deepEqual(readArguments(['--only=cooperative, alone']).only, ['alone', 'cooperative'])
  })

  it('take flags of Node.js', () => {
    assert.deepEqual(readArguments(['--node-flags=--max-semi-space-size=1 --expose-gc']).nodeFlags, ['--max-semi-space-size=1', '--expose-gc'])
  })

  for (const [arg, message] of [
    ['--rate=0', /--rate must be a number from 1 to 5000/],
    ['--seconds=x', /--seconds must be a number/],
    ['--rounds=1.5', /--rounds must be a whole number/],
    ['--streams=0', /--streams must be a number from 1/],
    ['--only=alone,none', /unknown strategy "none"; there are alone, body-parser/],
    ['--node-flags=x.js', /"x.js" is no flag/],
    ['--json=x.txt', /--json must end in .json/],
    ['--picture=x.png', /--picture must end in .svg/],
    ['--what', /Unknown option '--what'/]
  ]) it(`refuse ${arg}`, () => assert.throws(() => readArguments([arg]), message))

  it('refuse what does nothing', () => {
    assert.throws(() => readArguments(['--from=x.json', '--rate=5']), /--rate does nothing beside --from/)
  })
})

describe('perf/fairness: the meter of turns', () => {
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

describe('perf/fairness: medians', () => {
  it('are of blocks', () => {
    const { p99, postRate } = mediansOf([block(1, 10), block(9, 30), block(2, 20)])
    assert.equal(p99, 6)
    assert.equal(postRate, 2)
  })

  it('leave out what there was not', () => {
    assert.equal(mediansOf([block(1, 0), block(1, 10), block(1, 0)]).cpuPerPost, 50)
    assert.equal(mediansOf([block(1, 0)]).cpuPerPost, null)
  })
})

describe('perf/fairness: table and picture', () => {
  it('show every strategy', () => {
    const text = require('../../../perf/fairness/table')(fairness())
    assert.match(text, /no large posts +1\.05 +3\.15/)
    assert.match(text, /body-parser 2\.4\.0 +105 +315/)
    assert.match(text, /p99 is 1\.50 times that without large posts/)
    assert.match(text, /0\.0 % more large posts a second beside body-parser/)
  })

  it('are safe, and for light and dark', () => {
    const svg = require('../../../perf/fairness/picture')(fairness())
    assert.match(svg, /^<svg xmlns/)
    assert.match(svg, /ours, &#60;cooperative&#62;/)
    assert.doesNotMatch(svg, /<cooperative>|NaN|undefined|null/)
    assert.match(svg, /prefers-color-scheme: dark/)
    assert.match(svg, /twice the p99 of none/)
  })

  it('do without a baseline', () => {
    const result = fairness()
    result.strategies.shift()
    assert.doesNotMatch(require('../../../perf/fairness/table')(result), /without large posts\n/)
    assert.doesNotMatch(require('../../../perf/fairness/picture')(result), /twice the p99/)
  })
})

describe('perf/fairness: the load', () => {
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

  const small = json(record(300), 300)

  function createSteady () {
    const Steady = require('../../../perf/fairness/steady')
    return new Steady(small, { url, rate: 100, timeout: 5 })
  }

  it('sends what is due, whatever the server does, and counts from when it was due', async () => {
    const held = []
    respond = (res) => {
      held.push(res)
      if (held.length === 20) for (const res of held) res.end('the-end!') // the first is due 190 ms before the last
    }
    const steady = createSteady()
    await steady.go(0.2)
    await steady.close()
    const { responses, problem, latency } = steady.tally
    assert.equal(problem, null)
    assert.equal(responses, 20)
    assert.ok(latency.maxValue >= 185e6, `${latency.maxValue} ns`) // its histogram has three digits
  })

  it('finds a wrong answer', async () => {
    respond = (res) => res.end('another')
    const steady = createSteady()
    await steady.go(0.05)
    await steady.close()
    assert.match(steady.tally.problem, /the answer is not what was sent: "another"/)
  })

  function createPosts (postRate = null) {
    const Posts = require('../../../perf/fairness/posts')
    return new Posts(json(record(300_000), 300_000), { url, streams: 2, postRate })
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

  it('ends posts that nobody answers, and says nothing', async () => {
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

  it('finds a large post answered wrong', async () => {
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

describe('perf/fairness: parsers', () => {
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

describe('perf/fairness: a session', function () {
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
        assert.equal(responses, 20)
        assert.ok(latency.p50 > 0 && hold > 0)
        if (id === 'alone') assert.equal(posts, 0)
      }
    }
    assert.deepEqual(result.settings.nodeFlags, ['--max-semi-space-size=1'])
    for (const key of ['date', 'machine', 'node', 'commit']) assert.ok(key in result, key)

    const picture = path.join(folder, 'x.svg')
    const again = await run([`--from=${file}`, `--picture=${picture}`])
    assert.equal(again.stdout, stdout)
    assert.match(fs.readFileSync(picture, 'utf8'), /^<svg/)
    assert.deepEqual(fs.readdirSync(folder).sort(), ['x.json', 'x.svg'])
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
