'use strict'

// Content-Digest (RFC 9530) of a compressed body: the digest is of the bytes as
// they were sent, so `rawBody: 'coded'` keeps those. Signatures of HTTP messages
// (RFC 9421) cover this header, and so the body.

const { createHash, timingSafeEqual } = require('node:crypto')
const express = require('express')
const bodyParser = require('fast-body-parser')

const ALGORITHMS = new Map([['sha-256', 'sha256'], ['sha-512', 'sha512']])

/** Throws unless the header has a digest of these bytes: `sha-256=:BASE64:`. */
function checkDigest (bytes, header = '') {
  const digests = Array.from(header.matchAll(/(?:^|,)\s*([a-z0-9-]+)=:([A-Za-z0-9+/=]*):/g))
    .filter(([, name]) => ALGORITHMS.has(name))
  if (digests.length === 0) throw Object.assign(new Error('no Content-Digest of sha-256 or sha-512'), { status: 400 })
  for (const [, name, base64] of digests) {
    const given = Buffer.from(base64, 'base64')
    const expected = createHash(ALGORITHMS.get(name)).update(bytes).digest()
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw Object.assign(new Error('wrong Content-Digest'), { status: 400 })
  }
}

const app = express()

app.use(bodyParser.json({
  rawBody: 'coded',
  verify: (req) => checkDigest(req.rawBody, req.headers['content-digest'])
}))

app.use((req, res) => {
  res.json({ bytes: req.rawBody?.length, body: req.body })
})

app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  printf '{"a":1}' | gzip > /tmp/body.gz
  digest=$(openssl dgst -sha256 -binary /tmp/body.gz | base64)
  curl ${url} -H "Content-Digest: sha-256=:$digest:" -H 'Content-Encoding: gzip' -H 'Content-Type: application/json' --data-binary @/tmp/body.gz`)
  })
}
