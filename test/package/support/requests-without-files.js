'use strict'

// A program: makes parsers, and sends each a request while no file can be
// opened, as where a process has run out of file descriptors. Prints the modules
// that failed to load, and the answers then and afterwards.

const Module = require('node:module')
const { Readable } = require('node:stream')
const zlib = require('node:zlib')
const schemaOf = require('../../support/schema-of')
const { upload } = require('../../support/upload')

const JSON_TYPE = { 'Content-Type': 'application/json' }
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const typed = (charset) => ({ 'Content-Type': `text/plain; charset=${charset}` })
const coded = (coding) => ({ ...JSON_TYPE, 'Content-Encoding': coding })
const fail = () => { throw new Error('no') }
const failWith = (error) => () => { throw error }
const failLater = async () => fail()
const long = JSON.stringify([...Array(9999).keys()])
const schema = schemaOf((value) => ({ value }))
const stack = (first, second) => (req, res, next) =>
  first(req, res, (error) => error ? next(error) : second(req, res, next))
const byPromise = (read) => (req, res, next) => read(req, res).then(() => next(), next)
const byWeb = (make) => () => {
  const read = make(require('../../../lib/web'))
  return (req, res, next) => {
    const { headers } = req
    const request = new Request('http://test', { method: 'POST', headers, body: Readable.toWeb(req), duplex: 'half' })
    read(request).then((body) => { req.body = body }).then(next, next)
  }
}
const sliced = { cooperative: { threshold: 100 }, limit: '1mb' }

// [a function that makes a parser, ...headers and body of requests]
const rows = [
  [({ json }) => json(),
    [JSON_TYPE, '[1]'],
    [JSON_TYPE, '[1'],
    [{ 'Content-Type': 'application/json; charset=utf-16le' }, Buffer.from('[1]', 'utf16le')],
    [{ 'Content-Type': 'application/json; charset=utf-99' }, '[1]'],
    [coded('gzip'), zlib.gzipSync('[1]')],
    [coded('gzip'), '[1]'],
    [{ ...coded('gzip'), ...CHUNKED }, zlib.gzipSync('[1]')],
    [coded('zstd'), zlib.zstdCompressSync?.('[1]') ?? ''],
    [coded('unknown'), '[1]']],
  [({ json }) => json({ depth: 1 }), [JSON_TYPE, '[[1]]']],
  [({ json }) => json({ onProtoPoisoning: 'error' }), [JSON_TYPE, '{"__proto__":1}']],
  [({ json }) => json({ limit: 3 }),
    [JSON_TYPE, '[1, 2]'],
    [{ ...JSON_TYPE, ...CHUNKED }, '[1, 2]'],
    [coded('br'), zlib.brotliCompressSync(long)]],
  [({ json }) => json({ verify: fail }), [JSON_TYPE, '[1]']],
  [({ json }) => json({ verify: failWith(Object.freeze(new Error('frozen'))) }), [JSON_TYPE, '[1]']],
  [({ json }) => json({ verify: failWith('text') }), [JSON_TYPE, '[1]']],
  [({ json }) => json({ verify: failLater }), [JSON_TYPE, '[1]']],
  [({ json }) => json({ parse: fail }), [JSON_TYPE, '[1]']],
  [({ json }) => json({ limit: () => '1kb' }), [JSON_TYPE, '[1]']],
  [({ json }) => json({ limit: () => 'many' }), [JSON_TYPE, '[1]']],
  [({ json, createBudget }) => json({ budget: createBudget({ bytes: 2 }), timeout: 1e6 }), [JSON_TYPE, '[1]']],
  [({ json }) => json({ schema: schemaOf(() => ({ issues: [{ message: 'no' }] })) }), [JSON_TYPE, '[1]']],
  [({ json }) => json({ schema }), [{ 'Content-Type': 'text/plain' }, '[1]']],
  [({ json, refuseUnparsed }) => stack(json({ type: '+json' }), refuseUnparsed()),
    [{ 'Content-Type': 'text/plain' }, '[1]']],
  [({ json }) => byPromise(json({ rawBody: 'coded', timeout: 1000, minRate: 1 }).read),
    [coded('gzip'), zlib.gzipSync('[1]')]],
  [({ json }) => json({ inflate: false }), [coded('gzip'), zlib.gzipSync('[1]')]],
  [({ json }) => json(sliced),
    [JSON_TYPE, long],
    [JSON_TYPE, long + ']'],
    [{ ...coded('gzip'), ...CHUNKED }, zlib.gzipSync(long)]],
  [({ raw }) => raw({ type: '*/*', buffered: true }), [{ ...coded('gzip'), ...CHUNKED }, zlib.gzipSync('abc')]],
  [({ text }) => text(), [typed('windows-1252'), Buffer.of(0x61, 0x80)], [typed('unknown'), 'a']],
  [({ createParser }) => createParser({ type: 'text/plain', parse: (text) => text }),
    [typed('utf-32'), Buffer.from('61000000', 'hex')]],
  [({ urlencoded }) => urlencoded(), [FORM, 'a[b]=1']],
  [({ urlencoded }) => urlencoded({ extended: true }), [FORM, 'a[b]=1']],
  [({ urlencoded }) => urlencoded({ extended: true, depth: 1 }), [FORM, 'a[b][c]=1']],
  [({ urlencoded }) => urlencoded({ parameterLimit: 1 }), [FORM, 'a=1&b=2']],
  [({ urlencoded }) => urlencoded({ charsetSentinel: true }), [FORM, 'utf8=%E2%9C%93&a=1']],
  [({ urlencoded }) => urlencoded({ interpretNumericEntities: true, defaultCharset: 'iso-8859-1' }),
    [FORM, 'a=%26%239786;']],
  [byWeb(({ json }) => json()),
    [JSON_TYPE, '[1]'],
    [coded('gzip'), zlib.gzipSync('[1]')],
    [coded('zstd'), zlib.zstdCompressSync?.('[1]') ?? ''],
    [coded('unknown'), '[1]']],
  [byWeb(({ raw }) => raw({ type: '*/*', limit: 3 })), [JSON_TYPE, '[1, 2]']],
  [byWeb(({ text }) => text()), [typed('windows-1252'), Buffer.of(0x61, 0x80)]],
  [byWeb(({ urlencoded }) => urlencoded({ extended: true })), [FORM, 'a[b]=1']]
]

const { _load: load } = Module

/** From now on, every `require` of a file that is not loaded fails. @returns {string[]} what for */
function shut () {
  const failed = []
  Module._load = (request, ...others) => {
    if (Module.isBuiltin(request)) return load(request, ...others) // which need no file
    try {
      const file = Module._resolveFilename(request, ...others)
      if (require.cache[file]?.loaded) return load(request, ...others)
    } catch {}
    failed.push(request)
    throw Object.assign(new Error(`EMFILE: too many open files, open '${request}'`), { code: 'EMFILE' })
  }
  return failed
}

/** With what it may have inherited; without its stack, which is not enumerable. */
function tell (error) {
  const { expose, message, status, statusCode } = error
  return { ...error, expose, message, status, statusCode }
}

async function send (parser, headers, body) {
  const message = { headers, chunked: headers['Transfer-Encoding'] !== undefined }
  const { error, body: parsed } = await upload(parser, Buffer.from(body), message)
  return JSON.stringify(error ? { error: tell(error) } : { body: parsed })
}

/** Everything is loaded anew for each parser, so that none profits from another; nor does a request, as none loads. */
async function run ([make, ...requests]) {
  for (const file of Object.keys(require.cache)) delete require.cache[file]
  const parser = make(make.length === 0 ? undefined : require('../../..'))
  const failed = shut()
  const answers = []
  for (const [headers, body] of requests) answers.push(await send(parser, headers, body))
  Module._load = load
  const seen = []
  for (const [i, [headers, body]] of requests.entries()) {
    const expected = await send(parser, headers, body)
    seen.push({ parser: `${make} ${JSON.stringify(headers)}`, failed, answer: answers[i], expected })
  }
  return seen
}

async function main () {
  const seen = []
  for (const row of rows) seen.push(...await run(row))
  console.log(JSON.stringify(seen))
}

main()
