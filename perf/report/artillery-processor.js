'use strict'

// Artillery loads a copy of this file beside the exported scripts, so it needs
// nothing else. Every request gets its headers and bytes from
// <scenario>.requests.json, and every response is compared with what it must be.

const fs = require('node:fs')
const path = require('node:path')
const { Readable } = require('node:stream')

const loaded = new Map()

function loadRequests (context, events, done) {
  const name = [].concat(context.vars.scenario)[0]
  if (!loaded.has(name)) {
    const requests = JSON.parse(fs.readFileSync(path.join(__dirname, `${name}.requests.json`), 'utf8'))
    loaded.set(name, requests.map((request) => ({ ...request, body: Buffer.from(request.body, 'base64') })))
  }
  context.vars.requests = loaded.get(name)
  context.vars.next = 0
  done()
}

function fillRequest (params, context, events, done) {
  const { headers, body, chunks } = context.vars.requests[context.vars.next]
  params.headers = { ...params.headers, ...headers }
  if (chunks !== null) params.body = Readable.from(cut(body, chunks))
  else if (body.length > 0) params.body = body
  done()
}

function cut (body, count) {
  const length = Math.ceil(body.length / count)
  return Array.from({ length: count }, (_, i) => body.subarray(i * length, (i + 1) * length))
}

function checkResponse (params, response, context, events, done) {
  const { expect } = context.vars.requests[context.vars.next++]
  const body = Buffer.from(response.body).toString('latin1')
  if (response.statusCode !== expect.status) return done(new Error(`status ${response.statusCode} instead of ${expect.status}`))
  if (body !== expect.body) return done(new Error('the answer is not what was sent'))
  done()
}

module.exports = { loadRequests, fillRequest, checkResponse }
