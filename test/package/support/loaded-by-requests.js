'use strict'

// A program: makes parsers, and sends each a request. Prints the files that
// the requests have loaded: there may be none, as a process may run out of file
// descriptors, and what `require` throws would end it.

const http = require('node:http')
const zlib = require('node:zlib')

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
const schema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } }
const stack = (first, second) => (req, res, next) => first(req, res, (error) => error ? next(error) : second(req, res, next))
const byPromise = (read) => (req, res, next) => read(req, res).then(() => next(), next)
const sliced = { cooperative: { threshold: 100 }, limit: '1mb' }

// [a function that makes a parser, headers, body]
const rows = [
  [({ json }) => json(), JSON_TYPE, '[1]'],
  [({ json }) => json(), JSON_TYPE, '[1'],
  [({ json }) => json(), JSON_TYPE, '"a"'],
  [({ json }) => json({ strict: false }), JSON_TYPE, 'tru'],
  [({ json }) => json({ depth: 1 }), JSON_TYPE, '[[1]]'],
  [({ json }) => json({ onProtoPoisoning: 'error' }), JSON_TYPE, '{"__proto__":1}'],
  [({ json }) => json({ limit: 3 }), JSON_TYPE, '[1, 2]'],
  [({ json }) => json({ limit: 3 }), { ...JSON_TYPE, ...CHUNKED }, '[1, 2]'],
  [({ json }) => json({ verify: fail }), JSON_TYPE, '[1]'],
  [({ json }) => json({ verify: failWith(Object.freeze(new Error('frozen'))) }), JSON_TYPE, '[1]'],
  [({ json }) => json({ verify: failWith(Object.assign(new Error('not you'), { status: 401 })) }), JSON_TYPE, '[1]'],
  [({ json }) => json({ verify: failWith('text') }), JSON_TYPE, '[1]'],
  [({ json }) => json({ verify: failWith(5) }), JSON_TYPE, '[1]'],
  [({ json }) => json({ verify: failWith() }), JSON_TYPE, '[1]'],
  [({ json }) => json({ verify: failLater }), JSON_TYPE, '[1]'],
  [({ json }) => json({ parse: fail }), JSON_TYPE, '[1]'],
  [({ json }) => json({ parse: failLater }), JSON_TYPE, '[1]'],
  [({ json }) => json(), { 'content-type': 'application/json; charset=utf-16le' }, Buffer.from('[1]', 'utf16le')],
  [({ json }) => json(), { 'content-type': 'application/json; charset=utf-99' }, '[1]'],
  [({ json }) => json(), { 'content-type': 'application/json; charset=koi8-r' }, '[1]'],
  [({ json }) => json(), coded('gzip'), zlib.gzipSync('[1]')],
  [({ json }) => json(), coded('gzip'), '[1]'],
  [({ json }) => json(), { ...coded('gzip'), ...CHUNKED }, zlib.gzipSync('[1]')],
  [({ json }) => json({ limit: '1mb' }), coded('gzip'), zlib.gzipSync(noise)],
  [({ json }) => json({ limit: 3 }), coded('br'), zlib.brotliCompressSync(long)],
  [({ json }) => json(), coded('br'), zlib.brotliCompressSync('[1]')],
  [({ json }) => json(), coded('zstd'), zlib.zstdCompressSync?.('[1]') ?? ''],
  [({ json }) => json({ limit: () => '1kb' }), JSON_TYPE, '[1]'],
  [({ json }) => json({ limit: () => '1m' }), JSON_TYPE, '[1]'],
  [({ json }) => json({ limit: () => 'many' }), JSON_TYPE, '[1]'],
  [({ json }) => json({ schema }), JSON_TYPE, '[1]'],
  [({ json }) => json({ schema }), { 'content-type': 'text/plain' }, '[1]'],
  [({ json, refuseUnparsed }) => stack(json({ type: '+json' }), refuseUnparsed()), { 'content-type': 'text/plain' }, '[1]'],
  [({ json }) => byPromise(json({ rawBody: 'coded', timeout: 1000, minRate: 1 }).read), coded('gzip'), zlib.gzipSync('[1]')],
  [({ json }) => byPromise(json().read), JSON_TYPE, '[1'],
  [({ json }) => json(), coded('unknown'), '[1]'],
  [({ json }) => json({ inflate: false }), coded('gzip'), zlib.gzipSync('[1]')],
  [({ json }) => json(sliced), JSON_TYPE, long],
  [({ json }) => json(sliced), JSON_TYPE, long + ']'],
  [({ json }) => json(sliced), JSON_TYPE, JSON.stringify(long)],
  [({ json }) => json(sliced), { ...coded('gzip'), ...CHUNKED }, zlib.gzipSync(long)],
  [({ raw }) => raw({ type: '*/*' }), coded('gzip'), zlib.gzipSync('abc')],
  [({ raw }) => raw({ type: '*/*', buffered: true }), { ...coded('gzip'), ...CHUNKED }, zlib.gzipSync('abc')],
  [({ text }) => text(), typed('windows-1252'), Buffer.of(0x61, 0x80)],
  [({ text }) => text({ verify: () => {} }), typed('windows-1252'), Buffer.of(0x61, 0x80)],
  [({ text }) => text(), typed('unknown'), 'a'],
  [({ text }) => text({ verify: () => {} }), typed('unknown'), 'a'],
  [({ createParser }) => createParser({ type: 'text/plain', parse: fail }), typed('utf-8'), 'a'],
  [({ createParser }) => createParser({ type: 'text/plain', parse: (text) => text }), typed('utf-32'), Buffer.from('61000000', 'hex')],
  [({ urlencoded }) => urlencoded(), FORM, 'a[b]=1'],
  [({ urlencoded }) => urlencoded({ extended: true }), FORM, 'a[b]=1'],
  [({ urlencoded }) => urlencoded({ extended: true, depth: 1 }), FORM, 'a[b][c]=1'],
  [({ urlencoded }) => urlencoded({ parameterLimit: 1 }), FORM, 'a=1&b=2'],
  [({ urlencoded }) => urlencoded({ charsetSentinel: true }), FORM, 'utf8=%E2%9C%93&a=1'],
  [({ urlencoded }) => urlencoded({ interpretNumericEntities: true, defaultCharset: 'iso-8859-1' }), FORM, 'a=%26%239786;'],
  [({ urlencoded }) => urlencoded(), { 'content-type': 'application/x-www-form-urlencoded; charset=koi8-r' }, 'a=1']
]

const server = http.createServer((req, res) => server.parser(req, res, (error) => res.end(String(error))))

function send (parser, headers, body) {
  server.parser = parser
  const length = headers['transfer-encoding'] === undefined ? { 'content-length': Buffer.byteLength(body) } : {}
  return new Promise((resolve, reject) => {
    const req = http.request({ port: server.address().port, method: 'POST', headers: { ...headers, ...length } }, (res) => res.resume().on('end', resolve))
    req.on('error', reject)
    req.end(body)
  })
}

/** Everything is loaded anew for each row, so that none profits from another. */
async function filesLoadedBy ([make, headers, body]) {
  for (const file of Object.keys(require.cache)) delete require.cache[file]
  const parser = make(require('../../..'))
  const before = new Set(Object.keys(require.cache))
  await send(parser, headers, body)
  return Object.keys(require.cache).filter((file) => !before.has(file))
}

server.listen(0, async () => {
  const loaded = []
  for (const row of rows) loaded.push([String(row[0]), await filesLoadedBy(row)])
  console.log(JSON.stringify(loaded))
  server.close()
})
