'use strict'

// The code blocks of docs/, run and asked.

const assert = require('node:assert/strict')
const { tracingChannel } = require('node:diagnostics_channel')
const { gzipSync } = require('node:zlib')
const express = require('express')
const bodyParser = require('fast-body-parser')
const fetchFrom = require('../support/express')
const pages = require('../support/pages')
const { form } = require('../support/upload')
const { tracing } = require('../support/where')

const SIGNATURE = ['raw-body.md', 'how-do-i-keep-the-bytes-for-a-signature']
const BUFFERED = ['raw-body.md', 'how-do-i-parse-a-body-that-a-platform-has-read']

describe('examples in docs/', () => {
  const read = (name) => pages.read(`docs/${name}`)
  const blocksOf = (text) => pages.blocksOf(text).filter(({ language }) => language === 'js').map(({ code }) => code)

  /** Sends a request to an app with the code of this section of a page. */
  const ask = (page, slug, ...request) => askApp(blocksOf(pages.sectionOf(read(page), slug))[0], ...request)

  /** Sends a request to an app with this code. */
  async function askApp (code, url, body, headers, first = (req, res, next) => next()) {
    const app = express()
    app.use(first)
    // eslint-disable-next-line no-new-func
    new Function('app', 'bodyParser', 'require', code)(app, bodyParser, require)
    app.use((req, res) => res.json(req.body))
    app.use((error, req, res, next) => res.status(error.status).json(error.type))
    const init = { body, headers: { 'content-type': 'application/json', ...headers } }
    const { status, text } = await fetchFrom([app], init, url)
    return [status, /^[{["]/.test(text) ? JSON.parse(text) : text]
  }

  it('show what rawBody holds', async () => {
    const body = '{ "a": 1 }'
    const signature = require('node:crypto').createHmac('sha256', 'secret').update(body).digest('hex')
    assert.deepEqual(await ask(...SIGNATURE, '/webhook', body, { 'x-signature': signature }),
      [200, { received: { a: 1 } }])
    assert.deepEqual(await ask(...SIGNATURE, '/webhook', '{"a":1}', { 'x-signature': signature }),
      [401, 'Unauthorized'])
    assert.deepEqual(await ask(...SIGNATURE, '/webhook', body, { 'x-signature': signature, 'content-type': 'a/b' }),
      [401, 'Unauthorized'])
    assert.deepEqual(await ask(...SIGNATURE, '/webhook', body), [401, 'Unauthorized'])
  })

  it('answer another Content-Type with a 415 wherever records are read', async () => {
    const page = read('ndjson.md')
    const apps = blocksOf(page).filter((code) => code.includes('app.post('))
    assert.equal(apps.length, 2)
    for (const code of apps) {
      const [, url] = /app\.post\('(.*?)'/.exec(code)
      const insert = 'const insert = async () => 201\n'
      const askIt = (body, type) => askApp(insert + code, url, body, { 'content-type': type })
      const [status] = await askIt('{}\n', 'application/x-ndjson')
      assert.ok([200, 207].includes(status), `${status}`)
      assert.deepEqual(await askIt('{}', 'application/json'), [415, 'media.type.unsupported'])
      assert.equal((await askIt('', 'application/json'))[0], status) // without content, there is nothing to refuse
    }
  })

  it('read items, and refuse a request without content', async () => {
    const [program] = blocksOf(read('json-array.md'))
    const code = `const insert = async () => {}\n${program}`
    assert.deepEqual(await askApp(code, '/import', '{"data":{"items":[1,2]}}'), [200, ''])
    assert.deepEqual(await askApp(code, '/import', '', { 'content-type': '' }), [400, 'entity.parse.failed'])
  })

  it('show what buffered does', async () => {
    const platform = async (req, res, next) => {
      req.rawBody = Buffer.concat(await req.toArray())
      next()
    }
    assert.deepEqual(await ask(...BUFFERED, '/', '{"a":1}', {}, platform), [200, { a: 1 }])
    assert.deepEqual(
      await ask(...BUFFERED, '/', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, platform),
      [200, { a: '1' }]
    )
    assert.deepEqual(await ask(...BUFFERED, '/', 'x'.repeat(20_000), {}, platform), [413, 'entity.too.large'])
  })

  it('read forms, and let other requests pass', async () => {
    const [code] = blocksOf(read('multipart.md'))
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const photo = Buffer.alloc(5 * 1024 * 1024, 'x')
    assert.deepEqual(
      await askApp(code, '/photos', form(['title', 'me'], ['avatar', photo, 'a.png', 'image/png']), type),
      [200, { title: 'me', bytes: photo.length }]
    )
    assert.deepEqual(
      await askApp(code, '/photos', form(['avatar', Buffer.alloc(photo.length + 1), 'a.png', 'image/png']), type),
      [413, 'multipart.file.too.large']
    )
    assert.deepEqual(await askApp(code, '/photos', '{"title":"me"}', {}), [200, {}])
    assert.deepEqual(await askApp(code, '/photos', '{"title":"me"}', {}, bodyParser.json()), [200, { title: 'me' }])
  })

  tracing.it('count bodies for Prometheus, by parser, lane and outcome', async () => {
    const code = pages.read('examples/prometheus.js')
    const example = {}
    const subscribed = []
    const tracingHere = (name) => {
      const { asyncStart } = tracingChannel(name)
      return { asyncStart: { subscribe: (listener) => subscribed.push([asyncStart, listener]) } }
    }
    const requireHere = (id) => id === 'node:diagnostics_channel' ? { tracingChannel: tracingHere } : require(id)
    // eslint-disable-next-line no-new-func
    new Function('module', 'require', code)(example, requireHere)
    for (const [channel, listener] of subscribed) channel.subscribe(listener)
    const send = (body, headers) =>
      fetchFrom([example.exports], { body, headers: { 'content-type': 'application/json', ...headers } })
    const coded = gzipSync('{"user":"tobi"}')
    for (const [body, headers] of [
      ['{"user":"tobi"}'], ['{}'], [coded, { 'content-encoding': 'gzip' }],
      ['a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['{"user":'], ['x'.repeat(1025)], ['{}', { 'content-encoding': 'bogus' }], ['x', { 'content-type': 'text/plain' }]
    ]) await send(body, headers)
    const { text: metrics } = await fetchFrom([example.exports], { method: 'GET' }, '/metrics')
    for (const [channel, listener] of subscribed) channel.unsubscribe(listener) // of the whole process
    const samples = (name) => {
      const lines = metrics.matchAll(new RegExp(`^${name}\\{(.*)\\} (.*)$`, 'gm'))
      return Object.fromEntries(Array.from(lines, ([, labels, value]) =>
        [labels.replaceAll(/\w+="([^"]*)"/g, '$1'), Number(value)]))
    }
    const counts = {
      'json,identity,ok': 2,
      'json,one-shot,ok': 1,
      'urlencoded,identity,ok': 1,
      'json,identity,400': 1,
      'json,none,413': 1,
      'json,none,415': 1
    }
    assert.deepEqual(samples('http_request_body_bytes_count'), counts)
    assert.deepEqual(samples('http_request_body_duration_seconds_count'), counts)
    assert.deepEqual(samples('http_request_body_bytes_sum'), {
      'json,identity,ok': 17,
      'json,one-shot,ok': coded.length,
      'urlencoded,identity,ok': 3,
      'json,identity,400': 8,
      'json,none,413': 0,
      'json,none,415': 0
    })
    // In seconds, not in milliseconds.
    for (const sum of Object.values(samples('http_request_body_duration_seconds_sum'))) assert.ok(sum >= 0 && sum < 60)
  })

  /** The body and the type of a form, as fetch sends it. */
  async function encode (...entries) {
    const data = new FormData()
    for (const [name, content, filename] of entries) {
      filename ? data.append(name, new Blob([content]), filename) : data.append(name, content)
    }
    const response = new Response(data)
    return [Buffer.from(await response.arrayBuffer()), { 'content-type': response.headers.get('content-type') }]
  }

  it('refuse files that are empty, or are not what they say', async () => {
    const [code] = blocksOf(pages.sectionOf(read('multipart.md'), 'how-do-i-check-what-a-file-is'))
    for (const [content, expected] of [['', 400], ['text', 415], [Buffer.from('\x89PNG rest', 'latin1'), 200]]) {
      const [status, answer] = await askApp(code, '/pictures', ...await encode(['picture', content, 'a.png']))
      assert.equal(status, expected)
      if (status === 200) assert.deepEqual(answer, [['a.png', 9]])
    }
  })
})
