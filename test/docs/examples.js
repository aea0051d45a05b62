'use strict'

// The code blocks of docs/, run and asked.

const assert = require('node:assert/strict')
const { tracingChannel } = require('node:diagnostics_channel')
const { gzipSync } = require('node:zlib')
const express = require('express')
const bodyParser = require('fast-body-parser')
const fetchFrom = require('../support/express')
const pages = require('../support/pages')
const { TYPE, form } = require('../support/upload')
const { tracing } = require('../support/where')

const FORM = { 'content-type': TYPE }
const SIGNATURE = ['raw-body.md', 'how-do-i-keep-the-bytes-for-a-signature']

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

  it('read forms, and let other requests pass', async () => {
    const [code] = blocksOf(read('multipart.md'))
    const photo = Buffer.alloc(5 * 1024 * 1024, 'x')
    assert.deepEqual(
      await askApp(code, '/photos', form(['title', 'me'], ['avatar', photo, 'a.png', 'image/png']), FORM),
      [200, { title: 'me', bytes: photo.length }]
    )
    assert.deepEqual(
      await askApp(code, '/photos', form(['avatar', Buffer.alloc(photo.length + 1), 'a.png', 'image/png']), FORM),
      [413, 'multipart.file.too.large']
    )
    assert.deepEqual(await askApp(code, '/photos', '{"title":"me"}', {}), [200, {}])
    assert.deepEqual(await askApp(code, '/photos', '{"title":"me"}', {}, bodyParser.json()), [200, { title: 'me' }])
  })

  tracing.it('count bodies for Prometheus, by parser, lane and outcome', async () => {
    const subscribed = []
    const example = loadPrometheus(subscribed)
    const send = (body, headers) =>
      fetchFrom([example], { body, headers: { 'content-type': 'application/json', ...headers } })
    const coded = gzipSync('{"user":"tobi"}')
    await send('{"user":"tobi"}')
    await send(coded, { 'content-encoding': 'gzip' })
    await send('{"user":')
    const { text } = await fetchFrom([example], { method: 'GET' }, '/metrics')
    for (const [channel, listener] of subscribed) channel.unsubscribe(listener) // of the whole process
    const samples = (name) => {
      const lines = text.matchAll(new RegExp(`^${name}\\{(.*)\\} (.*)$`, 'gm'))
      return Array.from(lines, ([, labels, value]) => [labels.replaceAll(/\w+="([^"]*)"/g, '$1'), Number(value)])
    }
    assert.deepEqual(samples('http_request_body_bytes_sum'),
      [['json,identity,ok', 15], ['json,one-shot,ok', coded.length], ['json,identity,400', 8]])
    const seconds = samples('http_request_body_duration_seconds_sum').map(([, sum]) => sum)
    assert.ok(seconds.length === 3 && seconds.every((sum) => sum >= 0 && sum < 60))
  })

  it('refuse files that are empty, or are not what they say', async () => {
    const [code] = blocksOf(pages.sectionOf(read('multipart.md'), 'how-do-i-check-what-a-file-is'))
    for (const [content, expected] of [['', 400], ['text', 415], [Buffer.from('\x89PNG rest', 'latin1'), 200]]) {
      const [status, answer] = await askApp(code, '/pictures', form(['picture', content, 'a.png', 'image/png']), FORM)
      assert.equal(status, expected)
      if (status === 200) assert.deepEqual(answer, [['a.png', 9]])
    }
  })
})

/** The app of examples/prometheus.js, and in `subscribed`, to which channels it listens. */
function loadPrometheus (subscribed) {
  const example = {}
  const tracingHere = (name) => {
    const { asyncStart } = tracingChannel(name)
    return { asyncStart: { subscribe: (listener) => subscribed.push([asyncStart, listener]) } }
  }
  const requireHere = (id) => id === 'node:diagnostics_channel' ? { tracingChannel: tracingHere } : require(id)
  // eslint-disable-next-line no-new-func
  new Function('module', 'require', pages.read('examples/prometheus.js'))(example, requireHere)
  for (const [channel, listener] of subscribed) channel.subscribe(listener)
  return example.exports
}
