'use strict'

// Python's requests. One run of Python makes all requests of a row.

const { promisify } = require('node:util')
const { execFile } = require('node:child_process')
const client = require('../support/clients')
const { object, text } = require('../support/bodies')

const PRELUDE = `
import io, json, sys, gzip
import requests
url = sys.argv[1]
session = requests.Session()
session.trust_env = False
as_json = {'Content-Type': 'application/json'}
object = json.loads(sys.argv[2])
text = sys.argv[3]
def post(**more):
    return session.post(url, timeout=10, **more).json()
`

/** Evaluates Python expressions, each of which is an answer. */
async function python (url, ...expressions) {
  const program = `${PRELUDE}\nprint(json.dumps([${expressions.join(', ')}]))`
  const { stdout } = await promisify(execFile)('python3', ['-c', program, url, JSON.stringify(object), text])
  const answers = JSON.parse(stdout)
  return answers.length === 1 ? answers[0] : answers
}

client('requests of Python', {
  'sends JSON, in ASCII': {
    send: (url) => python(url, 'post(json=object)'),
    expect: {
      headers: { 'content-type': 'application/json', 'content-length': String(asciiLength(object)) },
      body: object
    }
  },
  'sends JSON that is only a string': {
    send: (url) => python(url, 'post(json="text")'),
    expect: { type: 'entity.parse.failed' }
  },
  'sends a form': {
    send: (url) => python(url, 'post(data={"a[b]": text, "c": ["1", "2"]})'),
    expect: {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { a: { b: text }, c: ['1', '2'] }
    }
  },
  'sends parts, which no parser of the stack takes': {
    send: (url) => python(url, 'post(files={"file": b"bytes"})'),
    expect: { headers: { 'content-type': 'multipart/form-data; boundary=' }, has: false }
  },
  'sends text in its own charset': {
    send: (url) => python(url, 'post(data=text.encode("latin-1"), headers={"Content-Type": "text/plain; charset=ISO-8859-1"})'),
    expect: { body: text }
  },
  'sends what has no type': {
    send: (url) => python(url, 'post(data=b"bytes")'),
    expect: { headers: { 'content-type': undefined, 'content-length': '5' }, has: false }
  },
  'sends a generator in chunks, and a file': {
    send: (url) =>
      python(url, 'post(data=iter([b"{", b"}"]), headers=as_json)', 'post(data=io.BytesIO(b"{}"), headers=as_json)'),
    expect: [
      { headers: { 'transfer-encoding': 'chunked' }, body: {} },
      { headers: { 'content-length': '2' }, body: {} }
    ]
  },
  'sends gzip': {
    send: (url) => python(url, 'post(data=gzip.compress(json.dumps(object).encode()), headers={**as_json, "Content-Encoding": "gzip"})'),
    expect: { headers: { 'content-encoding': 'gzip' }, body: object }
  },
  'sends no body': {
    send: (url) =>
      python(url, 'post()', 'session.get(url).json()', 'session.delete(url).json()',
        'session.delete(url, json={}).json()'),
    expect: [{ has: false, headers: { 'content-length': '0' } }, { has: false }, { has: false }, { body: {} }]
  },
  'uses its connection again, also after errors': {
    send: (url) =>
      python(url, 'post(data="{", headers=as_json)', 'post(json={"fill": "x" * 110000})', 'post(json=object)'),
    expect: [{ type: 'entity.parse.failed' }, { type: 'entity.too.large' }, { body: object }],
    connections: 1
  }
}, () => promisify(execFile)('python3', ['-c', 'import requests']).catch((error) => {
  throw new Error(error.stderr?.trim().split('\n').at(-1) || error.message)
}))

/** Of the JSON that Python writes: with spaces, and escapes for what is not ASCII. */
function asciiLength (value) {
  const json = JSON.stringify(value, null, 1).replace(/\n */g, ' ').replace(/([[{]) | ([\]}])/g, '$1$2')
  return json.replace(/[^ -~]/g, '\\u0000').length
}
