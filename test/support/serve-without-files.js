'use strict'

// A program: a server in which every `require` fails once it listens, as where
// no file can be opened any more. Prints the outcome of each request, and which
// modules failed to load.
//
// node serve-without-files.js open  nothing fails
//                             shut

const http = require('node:http')
const Module = require('node:module')
const zlib = require('node:zlib')
const { createBudget, createParser, json, raw, text, urlencoded } = require('../..')

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const CHUNKED = { 'transfer-encoding': 'chunked' }
const typed = (charset) => ({ 'content-type': `text/plain; charset=${charset}` })
const coded = (coding) => ({ ...JSON_TYPE, 'content-encoding': coding })
const fail = () => { throw new Error('no') }
const failWith = (error) => () => { throw error }
const failLater = async () => fail()
const long = JSON.stringify([...Array(9999).keys()])
const noise = JSON.stringify([...Array(9999).keys()].map((i) => Math.sin(i))) // over the one-shot lane when coded
const sliced = { cooperative: { threshold: 100 }, limit: '1mb' }

// [parser, headers, body]
const rows = [
  [json(), JSON_TYPE, '[1]'],
  [json(), JSON_TYPE, '[1'],
  [json(), JSON_TYPE, '"a"'],
  [json({ strict: false }), JSON_TYPE, 'tru'],
  [json({ depth: 1 }), JSON_TYPE, '[[1]]'],
  [json({ onProtoPoisoning: 'error' }), JSON_TYPE, '{"__proto__":1}'],
  [json({ limit: 3 }), JSON_TYPE, '[1, 2]'],
  [json({ limit: 3 }), { ...JSON_TYPE, ...CHUNKED }, '[1, 2]'],
  [json({ verify: fail }), JSON_TYPE, '[1]'],
  [json({ verify: failWith(Object.freeze(new Error('frozen'))) }), JSON_TYPE, '[1]'],
  [json({ verify: failWith(Object.assign(new Error('not you'), { status: 401 })) }), JSON_TYPE, '[1]'],
  [json({ verify: failWith('text') }), JSON_TYPE, '[1]'],
  [json({ verify: failWith(5) }), JSON_TYPE, '[1]'],
  [json({ verify: failWith() }), JSON_TYPE, '[1]'],
  [json({ verify: failLater }), JSON_TYPE, '[1]'],
  [json({ parse: fail }), JSON_TYPE, '[1]'],
  [json({ parse: failLater }), JSON_TYPE, '[1]'],
  [json(), { 'content-type': 'application/json; charset=utf-16le' }, Buffer.from('[1]', 'utf16le')],
  [json(), { 'content-type': 'application/json; charset=utf-99' }, '[1]'],
  [json(), { 'content-type': 'application/json; charset=koi8-r' }, '[1]'],
  [json(), coded('gzip'), zlib.gzipSync('[1]')],
  [json(), coded('gzip'), '[1]'],
  [json(), { ...coded('gzip'), ...CHUNKED }, zlib.gzipSync('[1]')],
  [json({ limit: '1mb' }), coded('gzip'), zlib.gzipSync(noise)],
  [json({ limit: 3 }), coded('br'), zlib.brotliCompressSync(long)],
  [json({ rawBody: 'coded' }), coded('gzip'), zlib.gzipSync('[1]')],
  [json({ budget: createBudget({ bytes: 2 }), timeout: 1e6 }), JSON_TYPE, '[1]'],
  [json({ drainLimit: 0, limit: 3 }), JSON_TYPE, '[1, 2]'],
  [json({ schema: { '~standard': { validate: () => ({ issues: [{ message: 'no' }] }) } } }), JSON_TYPE, '[1]'],
  [json({ schema: { '~standard': { validate: (value) => ({ value }) } } }), FORM, 'a=1'],
  [json(), coded('unknown'), '[1]'],
  [json({ inflate: false }), coded('gzip'), zlib.gzipSync('[1]')],
  [json(sliced), JSON_TYPE, long],
  [json(sliced), JSON_TYPE, long + ']'],
  [json(sliced), JSON_TYPE, JSON.stringify(long)],
  [json(sliced), { ...coded('gzip'), ...CHUNKED }, zlib.gzipSync(long)],
  [raw({ type: '*/*' }), coded('gzip'), zlib.gzipSync('abc')],
  [raw({ type: '*/*', buffered: true }), { ...coded('gzip'), ...CHUNKED }, zlib.gzipSync('abc')],
  [text(), typed('windows-1252'), Buffer.of(0x61, 0x80)],
  [text({ verify: () => {} }), typed('windows-1252'), Buffer.of(0x61, 0x80)],
  [text(), typed('unknown'), 'a'],
  [text({ verify: () => {} }), typed('unknown'), 'a'],
  [createParser({ type: 'text/plain', parse: fail }), typed('utf-8'), 'a'],
  [createParser({ type: 'text/plain', parse: (text) => text }), typed('utf-32'), Buffer.from('61000000', 'hex')],
  [urlencoded(), FORM, 'a[b]=1'],
  [urlencoded({ extended: true }), FORM, 'a[b]=1'],
  [urlencoded({ extended: true, depth: 1 }), FORM, 'a[b][c]=1'],
  [urlencoded({ parameterLimit: 1 }), FORM, 'a=1&b=2'],
  [urlencoded({ charsetSentinel: true }), FORM, 'utf8=%E2%9C%93&a=1'],
  [urlencoded({ interpretNumericEntities: true, defaultCharset: 'iso-8859-1' }), FORM, 'a=%26%239786;'],
  [urlencoded(), { 'content-type': 'application/x-www-form-urlencoded; charset=koi8-r' }, 'a=1']
]

const { _load: load } = Module
const failed = [] // names of modules

/** Node's own modules need no file. */
function shut () {
  Module._load = (request, ...others) => {
    if (Module.isBuiltin(request)) return load(request, ...others)
    try {
      const file = Module._resolveFilename(request, ...others)
      if (require.cache[file]?.loaded) return load(request, ...others)
    } catch {}
    failed.push(request)
    throw Object.assign(new Error(`EMFILE: too many open files, open '${request}'`), { code: 'EMFILE' })
  }
}

const server = http.createServer((req, res) => {
  const [parser] = rows[Number(req.url.slice(1))]
  parser(req, res, (error) => {
    res.end(JSON.stringify(error ? { error: tell(error) } : { body: req.body }))
  })
})

/** With what it may have inherited; without its stack, which is not enumerable. */
function tell (error) {
  const { expose, message, status, statusCode } = error
  return { ...error, expose, message, status, statusCode }
}

function ask (path, headers, body) {
  const length = headers['transfer-encoding'] === undefined ? { 'content-length': Buffer.byteLength(body) } : {}
  return new Promise((resolve, reject) => {
    const req = http.request({ port: server.address().port, method: 'POST', path, headers: { ...headers, ...length } }, (res) => {
      let answer = ''
      res.setEncoding('utf8')
      res.on('data', (piece) => { answer += piece })
      res.on('end', () => resolve(JSON.parse(answer)))
    })
    req.on('error', reject)
    req.end(body)
  })
}

async function askAll () {
  const answers = []
  for (const [i, [, headers, body]] of rows.entries()) answers.push(await ask(`/${i}`, headers, body))
  return answers
}

async function main (mode) {
  await new Promise((resolve) => server.listen(0, resolve))
  if (mode === 'shut') shut()
  return { answers: await askAll(), failed }
}

main(process.argv[2]).then((seen) => {
  console.log(JSON.stringify(seen))
  server.close()
  server.closeAllConnections()
})
