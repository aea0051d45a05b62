'use strict'

const http = require('node:http')
const { Readable } = require('node:stream')
const client = require('../support/clients')
const { bytes, json, large, object, text } = require('../support/bodies')

let got // it is an ES module

async function load () {
  const { default: instance } = await import('got')
  got = instance.extend({ method: 'POST', responseType: 'json', throwHttpErrors: false, retry: { limit: 0 } })
}

async function ask (url, options) {
  const response = await got(url, options)
  return response.body
}

async function sequence (url, bodies) {
  const agent = { http: new http.Agent({ keepAlive: true, maxSockets: 1 }) }
  const answers = []
  for (const body of bodies) {
    answers.push(await ask(url, { agent, body, headers: { 'content-type': 'application/json' } }))
  }
  agent.http.destroy()
  return answers
}

client('got', {
  'sends JSON': {
    send: (url) => ask(url, { json: object }),
    expect: {
      headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) },
      body: object
    }
  },
  'sends JSON that is only a string': {
    send: (url) => ask(url, { json: 'text' }),
    expect: { type: 'entity.parse.failed' }
  },
  'sends a form': {
    send: (url) => ask(url, { form: { 'a[b]': text, c: '&=' } }),
    expect: { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: { a: { b: text }, c: '&=' } }
  },
  'sends text and bytes without a type': {
    send: async (url) => [
      await ask(url, { body: text }),
      await ask(url, { body: bytes, headers: { 'content-type': 'application/octet-stream' } })
    ],
    expect: [{ headers: { 'content-type': undefined }, has: false }, { body: { bytes: bytes.toString('hex') } }]
  },
  'sends a stream in chunks': {
    send: (url) => ask(url, {
      body: Readable.from([json.slice(0, 5), json.slice(5)]),
      headers: { 'content-type': 'application/json' }
    }),
    expect: { headers: { 'transfer-encoding': 'chunked' }, body: object }
  },
  'sends no body': {
    send: async (url) => [
      await ask(url), await ask(url, { method: 'GET' }), await ask(url, { method: 'DELETE' }),
      await ask(url, { method: 'PATCH', json: {} })
    ],
    expect: [{ has: false }, { has: false }, { has: false }, { body: {} }]
  },
  'uses its connection again, also after errors': {
    send: (url) => sequence(url, ['{', JSON.stringify(large), json]),
    expect: [{ type: 'entity.parse.failed' }, { type: 'entity.too.large' }, { body: object }],
    connections: 1
  }
}, load)
