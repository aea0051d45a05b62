'use strict'

// undici: the fetch of Node itself, and its own API.

const zlib = require('node:zlib')
const undici = require('undici')
const client = require('../support/clients')
const { bytes, json, large, object, text } = require('../support/bodies')

const headers = { 'content-type': 'application/json' }

/** Several requests over a connection of their own. */
async function sequence (url, bodies) {
  const dispatcher = new undici.Client(new URL(url).origin)
  const answers = []
  for (const body of bodies) {
    const response = await undici.request(url, { dispatcher, method: 'POST', headers, body })
    answers.push(await response.body.json())
  }
  await dispatcher.close()
  return answers
}

async function ask (url, init) {
  const response = await fetch(url, { method: 'POST', ...init })
  return response.json()
}

function formData () {
  const data = new FormData()
  data.set('a', 'b')
  return data
}

client('fetch', {
  'sends JSON, as text until it is told': {
    send: async (url) => [await ask(url, { body: json }), await ask(url, { headers, body: json })],
    expect: [{ headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: json }, { body: object }]
  },
  'sends URLSearchParams with a charset': {
    send: (url) => ask(url, { body: new URLSearchParams([['a[b]', text], ['c', '&=']]) }),
    expect: {
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      body: { a: { b: text }, c: '&=' }
    }
  },
  'sends a stream in chunks': {
    send: (url) => ask(url, { headers, body: new Blob([json]).stream(), duplex: 'half' }),
    expect: { headers: { 'transfer-encoding': 'chunked' }, body: object }
  },
  'sends a stream that it compresses': {
    send: (url) => ask(url, {
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: new Blob([json]).stream().pipeThrough(new CompressionStream('gzip')),
      duplex: 'half'
    }),
    expect: { headers: { 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' }, body: object }
  },
  'sends bytes, of no type and of one': {
    send: async (url) =>
      [await ask(url, { body: bytes }), await ask(url, { body: new Blob([bytes], { type: 'image/png' }) })],
    expect: [{ headers: { 'content-type': undefined }, has: false }, { body: { bytes: bytes.toString('hex') } }]
  },
  'sends FormData, which no parser of the stack takes': {
    send: (url) => ask(url, { body: formData() }),
    expect: { headers: { 'content-type': 'multipart/form-data; boundary=' }, has: false }
  },
  'sends brotli': {
    send: (url) => ask(url, { headers: { ...headers, 'content-encoding': 'br' }, body: zlib.brotliCompressSync(json) }),
    expect: { body: object }
  },
  'sends no body': {
    send: async (url) => [
      await ask(url), await ask(url, { headers }), await ask(url, { method: 'GET' }),
      await ask(url, { method: 'DELETE' })
    ],
    expect: [
      { has: false, headers: { 'content-length': '0' } },
      { headers: { 'content-length': '0' }, body: {} },
      { has: false },
      { has: false }
    ]
  },
  'uses its connection again, also after errors': {
    send: (url) => sequence(url, ['{', JSON.stringify(large), json]),
    expect: [{ type: 'entity.parse.failed' }, { type: 'entity.too.large' }, { body: object }],
    connections: 1
  }
})
