'use strict'

const http = require('node:http')
const { Readable } = require('node:stream')
const axios = require('axios')
const client = require('../support/clients')
const { bytes, large, json, object, text } = require('../support/bodies')

async function ask (url, data, config) {
  const response = await axios({ url, method: 'POST', data, proxy: false, validateStatus: null, ...config })
  return response.data
}

async function sequence (url, bodies) {
  const httpAgent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const answers = []
  for (const body of bodies) {
    answers.push(await ask(url, body, { httpAgent, headers: { 'content-type': 'application/json' } }))
  }
  httpAgent.destroy()
  return answers
}

const form = 'application/x-www-form-urlencoded'

client('axios', {
  'sends objects as JSON': {
    send: (url) => ask(url, object),
    expect: {
      headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) },
      body: object
    }
  },
  'sends strings as a form': {
    send: (url) => ask(url, 'a[b]=1&c=%26'),
    expect: { headers: { 'content-type': form }, body: { a: { b: '1' }, c: '&' } }
  },
  'sends strings of which it is told that they are JSON': {
    send: (url) => ask(url, 'text', { headers: { 'content-type': 'application/json' } }),
    expect: { type: 'entity.parse.failed' } // it quotes them: strict JSON has none
  },
  'sends URLSearchParams with a charset': {
    send: (url) => ask(url, new URLSearchParams({ a: text })),
    expect: { headers: { 'content-type': `${form};charset=utf-8` }, body: { a: text } }
  },
  'sends objects as a form': {
    send: (url) => ask(url, { a: { b: [1, 2] }, c: text }, { headers: { 'content-type': form } }),
    expect: { body: { a: { b: ['1', '2'] }, c: text } }
  },
  'sends parts, which no parser of the stack takes': {
    send: async (url) => (await axios.postForm(url, { a: 'b' }, { proxy: false })).data,
    expect: { headers: { 'content-type': 'multipart/form-data; boundary=' }, has: false }
  },
  'sends a Buffer': {
    send: (url) => ask(url, bytes, { headers: { 'content-type': 'application/octet-stream' } }),
    expect: { headers: { 'content-length': String(bytes.length) }, body: { bytes: bytes.toString('hex') } }
  },
  'sends a stream in chunks': {
    send: (url) =>
      ask(url, Readable.from([json.slice(0, 5), json.slice(5)]), { headers: { 'content-type': 'application/json' } }),
    expect: { headers: { 'transfer-encoding': 'chunked' }, body: object }
  },
  'sends no body': {
    send: async (url) => [
      await ask(url), await ask(url, undefined, { method: 'GET' }), await ask(url, null, { method: 'DELETE' }),
      await ask(url, object, { method: 'DELETE' })
    ],
    expect: [{ headers: { 'content-length': '0' }, body: {} }, { has: false }, { has: false }, { body: object }]
  },
  'uses its connection again, also after errors': {
    send: (url) => sequence(url, [Buffer.from('{'), large, object]),
    expect: [{ type: 'entity.parse.failed' }, { type: 'entity.too.large' }, { body: object }],
    connections: 1
  }
})
