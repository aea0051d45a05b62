'use strict'

const http = require('node:http')
const { Readable } = require('node:stream')
const superagent = require('superagent')
const client = require('../support/clients')
const { bytes, json, large, object, text } = require('../support/bodies')

async function ask (request) {
  const response = await request.ok(() => true)
  return response.body
}

async function sequence (url, bodies) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const answers = []
  for (const body of bodies) answers.push(await ask(superagent.post(url).agent(agent).type('json').send(body)))
  agent.destroy()
  return answers
}

/** Superagent pipes a stream into its request. */
function pipe (url) {
  return new Promise((resolve, reject) => {
    const request = superagent.post(url).type('json')
    request.on('response', (response) => resolve(response.body)).on('error', reject)
    Readable.from([json.slice(0, 5), json.slice(5)]).pipe(request)
  })
}

client('superagent', {
  'sends objects as JSON': {
    send: (url) => ask(superagent.post(url).send(object)),
    expect: {
      headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) },
      body: object
    }
  },
  'sends strings as a form': {
    send: (url) => ask(superagent.post(url).send('a[b]=1').send('c=%26')),
    expect: { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: { a: { b: '1' }, c: '&' } }
  },
  'sends objects as a form': {
    send: (url) => ask(superagent.post(url).type('form').send({ a: { b: text }, c: [1, 2] })),
    expect: { body: { a: { b: text }, c: ['1', '2'] } }
  },
  'sends parts, which no parser of the stack takes': {
    send: (url) => ask(superagent.post(url).field('a', 'b')),
    expect: { headers: { 'content-type': 'multipart/form-data; boundary=' }, has: false }
  },
  'sends text and bytes': {
    send: async (url) => [
      await ask(superagent.post(url).type('text').send(text)), await ask(superagent.post(url).type('bin').send(bytes))
    ],
    expect: [{ headers: { 'content-type': 'text/plain' }, body: text }, { body: { bytes: bytes.toString('hex') } }]
  },
  'sends a stream in chunks': {
    send: pipe,
    expect: { headers: { 'transfer-encoding': 'chunked' }, body: object }
  },
  'sends no body': {
    send: async (url) => [
      await ask(superagent.post(url)), await ask(superagent.get(url)), await ask(superagent.delete(url)),
      await ask(superagent.delete(url).send(object))
    ],
    expect: [{ has: false }, { has: false }, { has: false }, { body: object }]
  },
  'uses its connection again, also after errors': {
    send: (url) => sequence(url, ['{', large, object]),
    expect: [{ type: 'entity.parse.failed' }, { type: 'entity.too.large' }, { body: object }],
    connections: 1
  }
})
