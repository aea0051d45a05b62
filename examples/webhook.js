'use strict'

// Webhooks that are signed over their bytes, the way Stripe does it: a header
// `t=<seconds>,v1=<hex>` whose v1 is the HMAC-SHA256 of `<seconds>.<body>`.
// Once in `verify`, which keeps what is not signed from being parsed; once in
// a `verify` that awaits the secret; once afterwards, from `req.rawBody`.

const { createHmac, timingSafeEqual } = require('node:crypto')
const express = require('express')
const bodyParser = require('fast-body-parser')

const HEADER = 'webhook-signature'
const TOLERANCE = 300 // seconds; what is older may be a replay
const SECRETS = new Map([['default', process.env.WEBHOOK_SECRET || 'whsec_example'], ['shop', 'whsec_shop']])

/** The header's value for these bytes. */
function sign (bytes, secret, seconds = Math.floor(Date.now() / 1000)) {
  return `t=${seconds},v1=${hmac(bytes, secret, seconds).toString('hex')}`
}

function hmac (bytes, secret, seconds) {
  return createHmac('sha256', secret).update(`${seconds}.`).update(bytes).digest()
}

/** Throws, unless one of the signatures is right and not too old. */
function checkSignature (bytes, header = '', secret) {
  const fields = header.split(',').map((field) => field.trim().split('='))
  const seconds = Number(fields.find(([name]) => name === 't')?.[1])
  if (!Number.isInteger(seconds) || Math.abs(Date.now() / 1000 - seconds) > TOLERANCE) throw unauthorized('signature too old')
  const expected = hmac(bytes, secret, seconds)
  const given = fields.filter(([name]) => name === 'v1').map(([, hex]) => Buffer.from(hex ?? '', 'hex'))
  if (!given.some((mac) => mac.length === expected.length && timingSafeEqual(mac, expected))) throw unauthorized('wrong signature')
}

function unauthorized (message) {
  return Object.assign(new Error(message), { status: 401, type: 'webhook.unsigned' }) // without a status, it would be a 403
}

/** As if from a database. */
async function findSecret (name) {
  const secret = SECRETS.get(name)
  if (secret === undefined) throw unauthorized('unknown sender')
  return secret
}

const app = express()
app.disable('x-powered-by')

const type = 'application/json'

app.post('/verify', bodyParser.json({
  type,
  verify (req, res, bytes) {
    checkSignature(bytes, req.headers[HEADER], SECRETS.get('default'))
  }
}))

app.post('/verify-async/:sender', (req, res, next) => {
  req.sender = req.params.sender
  next()
}, bodyParser.json({
  type,
  async verify (req, res, bytes) {
    checkSignature(bytes, req.headers[HEADER], await findSecret(req.sender))
  }
}))

app.post('/afterwards', bodyParser.json({ type, rawBody: true }), (req, res, next) => {
  if (req.rawBody === undefined) throw unauthorized('no body')
  checkSignature(req.rawBody, req.headers[HEADER], SECRETS.get('default'))
  next()
})

app.use((req, res) => {
  if (req.body === undefined) throw unauthorized('no body') // skipped, so not verified
  res.json({ received: req.body })
})

app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

module.exports = { app, sign }

if (require.main === module) {
  const server = app.listen(process.env.PORT || 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}`
    console.log(`Listening on ${url}/ - try:

  body='{"id":"evt_1"}'; t=$(date +%s)
  v1=$(printf '%s.%s' $t "$body" | openssl dgst -sha256 -hmac ${SECRETS.get('default')} -r | cut -d' ' -f1)
  curl ${url}/verify -H "Webhook-Signature: t=$t,v1=$v1" --json "$body"
  curl ${url}/afterwards -H "Webhook-Signature: t=$t,v1=$v1" --json "$body"
  curl ${url}/afterwards -H "Webhook-Signature: t=$t,v1=$v1" --json "$body "`)
  })
}
