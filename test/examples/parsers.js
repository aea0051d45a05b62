'use strict'

// The examples for parsers of one's own, started as they are.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const path = require('node:path')
const { encode } = require('@msgpack/msgpack')
const { serveExample, startExample } = require('../support/example')

const EXAMPLES = path.join(__dirname, '../../examples')

/** [what, Content-Type, body, status, answer] of each example */
const examples = {
  'lossless-json': [
    ['keeps big integers', 'application/json', '{"id":12345678901234567890,"price":1.5}', 200, '{"id":12345678901234567890,"price":1.5}'],
    ['refuses invalid JSON', 'application/json', '{"id":', 400, /"entity.parse.failed"/],
    ['survives deep nesting', 'application/json', '['.repeat(100_000), 400, /"entity.parse.failed"/]
  ],
  json5: [
    ['parses JSON5', 'application/json5', "// who\n{user: 'tobi',}", 200, '{"body":{"user":"tobi"}}'],
    ['refuses invalid JSON5', 'application/json5', '{user', 400, /JSON5: invalid end of input/],
    ['leaves JSON to JSON.parse', 'application/json', '{"a":1}', 200, '{"body":{"a":1}}'],
    ['parses JSON strictly', 'application/json', '{a:1}', 400, /"entity.parse.failed"/]
  ],
  ndjson: [
    ['answers each line', 'application/x-ndjson', '{"a":1}\r\n\n{"a":2}\n', 207, '{"items":[{"line":1,"status":201,"keys":["a"]},{"line":3,"status":201,"keys":["a"]}]}'],
    ['answers an empty body', 'application/jsonl', '', 207, '{"items":[]}'],
    ['goes on behind a line that is wrong', 'application/jsonl', '{"a":1}\n{"a":\n{}', 207, /"line":2,"status":400,"type":"entity.parse.failed","message":"[^"]*"},\{"line":3,"status":201,"keys":\[\]\}/]
  ],
  yaml: [
    ['parses YAML', 'application/yaml', 'user: tobi\nlikes: [tea, cake]\n', 200, '{"body":{"user":"tobi","likes":["tea","cake"]}}'],
    ['parses media types that are based on YAML', 'application/openapi+yaml', 'a: 1', 200, '{"body":{"a":1}}'],
    ['refuses aliases', 'application/yaml', 'a: &a [1]\nb: *a\n', 400, /aliases exceeded/],
    ['refuses deep nesting', 'application/yaml', '[{'.repeat(50_000), 400, /nesting exceeded/],
    ['refuses invalid YAML', 'application/yaml', 'a: [', 400, /"entity.parse.failed"/]
  ],
  messagepack: [
    ['parses MessagePack', 'application/msgpack', encode({ user: 'tobi', ids: [1, 2] }), 200, '{"body":{"user":"tobi","ids":[1,2]}}'],
    ['refuses a length that is too large', 'application/msgpack', Buffer.from('dd01ffffff', 'hex'), 400, /Max length exceeded/],
    ['refuses a body that ends too early', 'application/vnd.msgpack', Buffer.from('81', 'hex'), 400, /"entity.parse.failed"/],
    ['refuses a body over the limit', 'application/msgpack', Buffer.alloc(16_385), 413, /"entity.too.large"/]
  ],
  cooperative: [
    ['parses large bodies', 'application/json', JSON.stringify(Array(100_000).fill({ a: [1] })), 200, '{"fields":100000}'],
    ['refuses large bodies that are invalid JSON', 'application/json', `[${'1,'.repeat(200_000)}]`, 400, /"entity.parse.failed","message":"Unexpected token '\]', \.\.\.\\"1,1,1,1,1,\]\\" is not valid JSON"/]
  ],
  'worker-json': [
    ['parses small bodies in the main thread', 'application/json', '{"rows":[{"amount":1},{"amount":2}]}', 200, '{"count":2,"total":3,"thread":"main"}'],
    ['parses large bodies in a worker', 'application/json', JSON.stringify({ rows: Array(20_000).fill({ amount: 2 }) }), 200, '{"count":20000,"total":40000,"thread":"worker"}'],
    ['refuses a small body', 'application/json', '{"rows":1}', 400, /rows must be an array/],
    ['refuses a large body', 'application/json', `{"rows":"${'x'.repeat(200_000)}"}`, 400, /"entity.parse.failed","message":"rows must be an array"/],
    ['refuses large bodies that are invalid JSON', 'application/json', `{"rows":"${'x'.repeat(200_000)}`, 400, /"entity.parse.failed","message":"Unterminated string/]
  ]
}

for (const [name, rows] of Object.entries(examples)) {
  describe(`examples/${name}.js`, () => {
    const served = serveExample(name)

    for (const [what, type, body, status, answer] of rows) {
      it(what, async () => {
        const response = await fetch(served.url, { method: 'POST', headers: { 'content-type': type }, body })
        const text = await response.text()
        assert.equal(response.status, status, text)
        if (answer instanceof RegExp) assert.match(text, answer)
        else assert.equal(text, answer)
      })
    }

    it('prints how to try it', () => startExample(name, async (output) => {
      const [, printed] = /^Listening on (\S+) - try:\n\n {2}.*curl /.exec(output)
      const response = await fetch(printed, { method: 'POST', headers: { 'content-type': rows[0][1] }, body: rows[0][2] })
      assert.equal(response.status, rows[0][3])
      await response.text()
    }))
  })
}

describe('examples/cooperative.js', () => {
  const served = serveExample('cooperative')

  it('parses a file', async () => {
    const { packages } = require('../../package-lock.json')
    const response = await fetch(`${served.url}packages`)
    assert.deepEqual(await response.json(), { count: Object.keys(packages).length })
  })
})

describe('examples/worker-json.js', () => {
  const file = path.join(EXAMPLES, 'worker-json.js')
  const bodyOf = (amount) => JSON.stringify({ rows: Array(10_000).fill({ amount }) })
  let server

  beforeEach(async () => {
    delete require.cache[file] // a client without a worker yet
    server = require(file).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  function send (body) {
    return fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }

  it('parses many bodies at a time in one worker', async () => {
    let workers = 0
    const count = () => workers++
    process.on('worker', count)
    const totals = await Promise.all([1, 2, 3, 4, 5].map(async (amount) => (await (await send(bodyOf(amount))).json()).total))
    process.off('worker', count)
    assert.deepEqual(totals, [10_000, 20_000, 30_000, 40_000, 50_000])
    assert.equal(workers, 1)
  })

  it('answers 503 if its worker dies, and starts another', async () => {
    process.once('worker', (worker) => worker.terminate())
    const lost = await send(bodyOf(1))
    assert.deepEqual([lost.status, (await lost.json()).error.type], [503, 'parser.lost'])
    const next = await send(bodyOf(2))
    assert.deepEqual([next.status, (await next.json()).total], [200, 20_000])
  })
})
