'use strict'

// Examples that work with the bytes of bodies: they are started, and get requests.

const assert = require('node:assert/strict')
const { createHmac } = require('node:crypto')
const path = require('node:path')
const fetchFrom = require('../support/express')

const EXAMPLES = path.join(__dirname, '../../examples')
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** The example, and `post`, which gives the status, and the JSON that was answered. */
function serve (name) {
  const example = require(path.join(EXAMPLES, name))
  async function post (url, body, headers) {
    const init = { body, headers: { 'content-type': 'application/json', ...headers } }
    const { status, text } = await fetchFrom([example.app], init, url)
    return [status, /^[{[]/.test(text) ? JSON.parse(text) : text]
  }
  return { ...example, post }
}

const now = () => Math.floor(Date.now() / 1000)
const mac = (key, text, encoding = 'hex') => createHmac('sha256', key).update(text).digest(encoding)

// What the providers publish: GitHub in 'Validating webhook deliveries', Slack in 'Verifying requests from Slack',
// Standard Webhooks in the tests of its libraries. Stripe publishes its scheme without a secret, so it is computed.
const vectors = {
  github: {
    secret: "It's a Secret to Everybody",
    body: 'Hello, World!',
    headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' }
  },
  slack: {
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    seconds: 1531420618,
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
    }
  },
  standard: {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    seconds: 1614265330,
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': `v1,AAAA v1a,${'A'.repeat(43)}= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=`
    }
  },
  stripe: {
    secret: 'whsec_test',
    seconds: 1492774577,
    body: '{"id":"evt_1"}',
    headers: { 'stripe-signature': `t=1492774577,v1=${mac('whsec_test', '1492774577.{"id":"evt_1"}')},v0=00` }
  }
}

describe('examples/', () => {
  describe('webhook.js', () => {
    const example = serve('webhook.js')

    for (const [provider, { secret, seconds = null, body, headers }] of Object.entries(vectors)) {
      const check = (given, { text = body, key = secret, at = seconds ?? now() } = {}) =>
        example.isSigned(provider, given, Buffer.from(text), key, at * 1000)

      it(`accepts what ${provider} signs, within five minutes, and nothing else`, () => {
        assert.equal(check(headers), true)
        assert.equal(check(headers, { text: `${body} ` }), false)
        assert.equal(check(headers, { key: 'whsec_b3RoZXI=' }), false)
        for (const name of Object.keys(headers)) {
          assert.equal(check({ ...headers, [name]: '' }), false, `with an empty ${name}`)
          assert.equal(check({ ...headers, [name]: undefined }), false, `without ${name}`)
        }
        for (const [late, expected] of [[300, true], [-300, true], [301, false], [-301, false]]) {
          assert.equal(check(headers, { at: (seconds ?? now()) + late }), expected || seconds === null, `${late} s`)
        }
      })
    }

    it('keeps the bytes of webhooks, as they were sent, and of nothing else', async () => {
      const text = '{ "id":"evt_1" }'
      const received = [200, { received: { id: 'evt_1' } }]
      const github = { 'x-hub-signature-256': `sha256=${mac('example', text)}` }
      assert.deepEqual(await example.post('/webhooks/github', text, github), received)
      const slack = {
        ...FORM,
        'x-slack-request-timestamp': String(now()),
        'x-slack-signature': `v0=${mac('example', `v0:${now()}:id=evt_1`)}`
      }
      assert.deepEqual(await example.post('/webhooks/slack', 'id=evt_1', slack), received)
      assert.deepEqual(await example.post('/orders', text), [200, { order: { id: 'evt_1' }, keepsBytes: false }])
    })

    it('refuses webhooks that are unsigned, of another type, or of nobody', async () => {
      const ask = async (url, headers) => (await example.post(url, '{}', headers))[0]
      const signed = { 'x-hub-signature-256': `sha256=${mac('example', '{}')}` }
      assert.equal(await ask('/webhooks/github', {}), 401)
      assert.equal(await ask('/webhooks/github', { ...signed, 'content-type': 'text/plain' }), 401)
      assert.equal(await ask('/webhooks/constructor', signed), 404)
    })
  })

  it('gbk-form.js reads a form in GBK, and refuses more fields than it takes', async () => {
    const example = serve('gbk-form.js')
    const fields = (count) => Array.from({ length: count }, (_, index) => `a${index}=%D6%D0`).join('&')
    const type = { 'content-type': `${FORM['content-type']}; charset=gbk` }
    assert.deepEqual(await example.post('/', 'name=%D6%D0%CE%C4', type), [200, { body: { name: '中文' } }])
    const [status, { body }] = await example.post('/', fields(1000), FORM)
    assert.deepEqual([status, Object.keys(body).length, body.a999], [200, 1000, '中'])
    assert.equal((await example.post('/', fields(1001), FORM))[0], 413)
  })

  it('cloud-function.js parses bodies that the platform has read, by its own limits', async () => {
    const example = serve('cloud-function.js')
    assert.deepEqual(await example.post('/', '{"user":"tobi"}'), [200, { body: { user: 'tobi' } }])
    assert.deepEqual(await example.post('/', 'user=tobi', FORM), [200, { body: { user: 'tobi' } }])
    const [status, { error: { type } }] = await example.post('/', `"${'x'.repeat(10 * 1024)}"`)
    assert.deepEqual([status, type], [413, 'entity.too.large'])
    const [, answer] = await example.post('/', '<a/>', { 'content-type': 'text/xml' })
    assert.deepEqual(answer.body, { parsed: 'by the platform', without: 'limits' })
  })
})
