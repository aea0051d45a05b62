'use strict'

const zlib = require('node:zlib')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const client = require('../support/clients')
const { bytes, json, large, object, text } = require('../support/bodies')

/** Runs curl, with stdin if given; gives the answers, one for each url. */
async function curl (args, stdin = '') {
  const child = spawn('curl', ['-sS', '--max-time', '10', '-w', '\n', ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => { stdout += chunk })
  child.stderr.setEncoding('utf8').on('data', (chunk) => { stderr += chunk })
  child.stdin.on('error', () => {}) // curl may be done before it has read all
  child.stdin.end(stdin)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`curl ended with ${code}: ${stderr}`)
  const answers = stdout.trim().split('\n').map((line) => JSON.parse(line))
  return answers.length === 1 ? answers[0] : answers
}

const JSON_TYPE = ['-H', 'Content-Type: application/json']
const NEXT = ['--next', '-sS', '-w', '\n'] // one curl keeps its connection
const form = 'application/x-www-form-urlencoded'

client('curl', {
  'sends a form by default': {
    send: (url) => curl([url, '-d', 'a[b]=1&a[c]=2', '-d', 'd=%26']),
    expect: { headers: { 'content-type': form }, body: { a: { b: '1', c: '2' }, d: '&' } }
  },
  'sends a form that it encodes': {
    send: (url) => curl([url, '--data-urlencode', `name=${text}&`]),
    expect: { body: { name: `${text}&` } }
  },
  'sends JSON': {
    send: (url) => curl([url, ...JSON_TYPE, '-d', json]),
    expect: { headers: { 'content-length': String(Buffer.byteLength(json)) }, body: object }
  },
  'sends JSON with no type of its own, which is a form then': {
    send: (url) => curl([url, '-d', '{"a":1}']),
    expect: { headers: { 'content-type': form }, body: { '{"a":1}': '' } }
  },
  'uploads, with no type at all': {
    send: (url) => curl([url, '-T', '-'], json),
    expect: { method: 'PUT', headers: { 'transfer-encoding': 'chunked', 'content-type': undefined }, has: false }
  },
  'uploads JSON from a pipe, in chunks': {
    send: (url) => curl([url, ...JSON_TYPE, '-T', '-'], json),
    expect: { method: 'PUT', headers: { 'transfer-encoding': 'chunked' }, body: object }
  },
  'waits for 100 Continue': {
    send: (url) => curl([url, '-H', 'Content-Type: text/plain', '--data-binary', '@-'], 'x'.repeat(1_500_000)),
    expect: { headers: { expect: '100-continue' }, body: 1_500_000 }
  },
  'waits for 100 Continue with what is too large': {
    send: (url) => curl([url, ...JSON_TYPE, '--data-binary', '@-'], JSON.stringify({ fill: 'x'.repeat(1_500_000) })),
    expect: { headers: { expect: '100-continue' }, type: 'entity.too.large' }
  },
  'sends parts, which no parser of the stack takes': {
    send: (url) => curl([url, '-F', 'a=b']),
    expect: { headers: { 'content-type': 'multipart/form-data; boundary=' }, has: false }
  },
  'sends bytes, gzipped': {
    send: (url) =>
      curl([url, '-H', 'Content-Type: application/octet-stream', '-H', 'Content-Encoding: gzip', '--data-binary', '@-'],
        zlib.gzipSync(bytes)),
    expect: { headers: { 'content-encoding': 'gzip' }, body: { bytes: bytes.toString('hex') } }
  },
  'sends an empty body, GET and DELETE': {
    send: async (url) =>
      [await curl([url, '-d', '']), await curl([url]), await curl([url, '-X', 'DELETE', ...JSON_TYPE, '-d', '{}'])],
    expect: [{ method: 'POST', body: {} }, { method: 'GET', has: false }, { method: 'DELETE', body: {} }]
  },
  'uses its connection again, also after errors': {
    send: (url) => curl(['{', JSON.stringify(large), json].flatMap((body, i) =>
      [...(i > 0 ? NEXT : []), url, ...JSON_TYPE, '--data-binary', body])),
    expect: [{ type: 'entity.parse.failed' }, { type: 'entity.too.large' }, { body: object }],
    connections: 1
  }
}, () => curl(['--version'], '').catch((error) => { if (error.code === 'ENOENT') throw error }))
