'use strict'

// Webhooks of Stripe, GitHub, Slack and Standard Webhooks (Svix, OpenAI, Clerk
// and others) behind parsers of the whole app: `rawBody` is a function, so the
// bytes that are signed are kept for these requests alone.

const { createHmac, timingSafeEqual } = require('node:crypto')
const express = require('express')
const bodyParser = require('fast-body-parser')

const TOLERANCE = 300 // seconds; what is older may be a replay

const SECRETS = {
  stripe: process.env.STRIPE_SECRET || 'whsec_example',
  github: process.env.GITHUB_SECRET || 'example',
  slack: process.env.SLACK_SECRET || 'example',
  standard: process.env.STANDARD_SECRET || 'whsec_ZXhhbXBsZQ==' // Base64 behind whsec_
}

/** The rest of each text that begins so. */
const after = (start, texts) => texts.filter((text) => text.startsWith(start)).map((text) => text.slice(start.length))

/** What a header says: when, what precedes the body in what is signed, and the signatures. */
const SCHEMES = {
  stripe ({ 'stripe-signature': field = '' }) {
    const pairs = field.split(',')
    const [seconds] = after('t=', pairs)
    return { seconds, prefix: `${seconds}.`, signatures: after('v1=', pairs), encoding: 'hex' }
  },
  github ({ 'x-hub-signature-256': field = '' }) { // signs no time: remember X-GitHub-Delivery to refuse a replay
    return { seconds: null, prefix: '', signatures: after('sha256=', [field]), encoding: 'hex' }
  },
  slack ({ 'x-slack-request-timestamp': seconds, 'x-slack-signature': field = '' }) {
    return { seconds, prefix: `v0:${seconds}:`, signatures: after('v0=', [field]), encoding: 'hex' }
  },
  standard ({ 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': field = '' }) {
    return { seconds, prefix: `${id}.${seconds}.`, signatures: after('v1,', field.split(' ')), encoding: 'base64' }
  }
}

const keyOf = (provider, secret) => provider === 'standard' ? Buffer.from(secret.replace(/^whsec_/, ''), 'base64') : secret

/** Whether the bytes are signed, and not too old. Secrets are replaced, so there may be several signatures. */
function isSigned (provider, headers, bytes, secret, now = Date.now()) {
  const { seconds, prefix, signatures, encoding } = SCHEMES[provider](headers)
  const isRecent = seconds === null || Math.abs(now / 1000 - seconds) <= TOLERANCE // false without a time
  if (!isRecent) return false
  const expected = createHmac('sha256', keyOf(provider, secret)).update(prefix).update(bytes).digest()
  const macs = signatures.map((text) => Buffer.from(text, encoding))
  return macs.some((mac) => mac.length === expected.length && timingSafeEqual(mac, expected))
}

const app = express()
app.disable('x-powered-by')

const options = { rawBody: (req) => req.originalUrl.startsWith('/webhooks/') } // `url` lacks the path of a router
app.use(bodyParser.json(options), bodyParser.urlencoded(options)) // Slack sends forms

app.post('/webhooks/:provider', (req, res) => {
  const { params: { provider }, headers, rawBody } = req
  if (!Object.hasOwn(SCHEMES, provider)) return res.sendStatus(404)
  if (rawBody === undefined) return res.sendStatus(401) // of a type that no parser reads
  if (!isSigned(provider, headers, rawBody, SECRETS[provider])) return res.sendStatus(401)
  res.json({ received: req.body })
})

app.post('/orders', (req, res) => {
  res.json({ order: req.body, keepsBytes: req.rawBody !== undefined })
})

module.exports = { app, isSigned }

if (require.main === module) {
  const server = app.listen(process.env.PORT || 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}`
    console.log(`Listening on ${url}/ - try:

  body='{"action":"opened"}'
  mac=$(printf %s "$body" | openssl dgst -sha256 -hmac ${SECRETS.github} -r | cut -d' ' -f1)
  curl ${url}/webhooks/github -H "X-Hub-Signature-256: sha256=$mac" --json "$body"
  curl ${url}/webhooks/github -H "X-Hub-Signature-256: sha256=$mac" --json "$body "
  curl ${url}/orders --json "$body"`)
  })
}
