'use strict'

// A bundle for browsers, run with nothing but what browsers have: no module of
// Node, and none of its globals.

const assert = require('node:assert/strict')
const path = require('node:path')
const vm = require('node:vm')
const zlib = require('node:zlib')
const esbuild = require('esbuild')

const GLOBALS = [
  'AbortController', 'AbortSignal', 'Blob', 'DecompressionStream', 'File', 'FormData', 'Headers', 'queueMicrotask',
  'ReadableStream', 'Request', 'TextDecoder', 'TextEncoder', 'TransformStream', 'URL', 'WritableStream'
]

describe('fast-body-parser/web in a bundle for browsers', () => {
  let web

  before(async () => {
    const { outputFiles: [{ text }], metafile } = await esbuild.build({
      entryPoints: [path.join(__dirname, '../../../lib/web/index.js')],
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'web',
      metafile: true,
      write: false
    })
    for (const { imports } of Object.values(metafile.inputs)) {
      for (const { path: id, external } of imports) assert.notEqual(external, true, id)
    }
    const context = vm.createContext(Object.fromEntries(GLOBALS.map((name) => [name, globalThis[name]])))
    web = vm.runInContext(`${text}; web`, context)
    assert.equal(vm.runInContext('typeof process + typeof Buffer + typeof require + typeof setTimeout', context),
      'undefined'.repeat(4))
  })

  const post = (body, headers) => new Request('http://localhost/', { method: 'POST', headers, body })
  const JSON_TYPE = { 'content-type': 'application/json' }

  it('parses', async () => {
    const plain = (value) => JSON.parse(JSON.stringify(value)) // other prototypes in there
    const schema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } }
    assert.deepEqual(
      plain(await web.json({
        limit: '1mb',
        depth: 5,
        onProtoPoisoning: 'error',
        schema,
        empty: {}
      })(post('{"a":1}', JSON_TYPE))),
      { a: 1 }
    )
    assert.deepEqual(
      plain(await web.json()(post(zlib.gzipSync('{"a":1}'), { ...JSON_TYPE, 'content-encoding': 'gzip' }))),
      { a: 1 }
    )
    assert.deepEqual(
      plain(await web.urlencoded({
        extended: true
      })(post('a[b]=1', { 'content-type': 'application/x-www-form-urlencoded' }))),
      { a: { b: '1' } }
    )
    assert.equal(await web.text()(post(Buffer.from([0xC1]), { 'content-type': 'text/plain; charset=koi8-r' })), 'а')
    assert.equal((await web.raw()(post('abc', { 'content-type': 'application/octet-stream' }))).length, 3)
  })

  it('reads forms with files, but to no disk', async () => {
    const data = new FormData()
    data.append('a', 'é')
    data.append('f', new File(['x'.repeat(200_000)], 'ü.bin'))
    const request = () => new Request('http://localhost/', { method: 'POST', body: data })
    const { fields, files } = await web.multipart({
      fields: { max: 3 },
      files: { f: { size: '1mb' } },
      defaultCharset: 'windows-1252'
    })(request())
    assert.deepEqual([fields.a, files.f[0].name, files.f[0].bytes.length], ['Ã©', 'Ã¼.bin', 200_000])
    const store = async (file) => {
      let length = (await file.peek(3)).length
      for await (const chunk of file) length += chunk.length
      return length
    }
    const seen = []
    for (const [name, [file]] of Object.entries((await web.multipart({ store })(request())).files)) {
      seen.push(name, file.value)
    }
    for await (const part of web.multipart().parts(request())) seen.push(part.field)
    assert.deepEqual(seen, ['f', 200_003, 'a', 'f'])
    const failing = () => { throw new Error('no') }
    await assert.rejects(async () => web.multipart({ store: failing })(request()), ({ message }) => message === 'no')
    await assert.rejects(async () => web.multipart({ files: { f: { size: 5 } } })(request()),
      ({ message, status }) => status === 413 && message.endsWith('at most 5 bytes'))
    assert.throws(() => web.multipart.disk('uploads'),
      ({ message }) => message.startsWith('multipart.disk needs a file system'))
  })

  for (const [what, options, body, headers, expected] of [
    ['a syntax error', {}, '{', {}, { status: 400, type: 'entity.parse.failed', expose: true }],
    ['a strict violation', {}, '5', {}, { status: 400, type: 'entity.parse.failed' }],
    ['a body over the limit', { limit: 1 }, '[1]', {}, { status: 413, type: 'entity.too.large', received: 3 }],
    ['a corrupt body', {}, 'junk', { 'content-encoding': 'gzip' }, { status: 400 }],
    ['a coding that is unknown', {}, '{}', { 'content-encoding': 'x' }, { status: 415, type: 'encoding.unsupported' }],
    ['what verify refuses', { verify () { throw new Error('no') } }, '{}', {},
      { status: 403, type: 'entity.verify.failed' }],
    // eslint-disable-next-line no-throw-literal
    ['what verify refuses without an error', { verify () { throw undefined } }, '{}', {},
      { status: 403, message: 'Forbidden' }],
    ['an odd limit', { limit: '10m' }, '{"a":"1234567890"}', {}, { status: 413 }]
  ]) {
    it(`reports ${what}`, async () => {
      await assert.rejects(async () => web.json(options)(post(body, { ...JSON_TYPE, ...headers })), (error) => {
        for (const [name, value] of Object.entries(expected)) assert.equal(error[name], value, name)
        return true
      })
    })
  }
})
