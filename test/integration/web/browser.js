'use strict'

// A bundle for browsers, run with nothing but what browsers have: no module of Node, and none of its globals.

const assert = require('node:assert/strict')
const path = require('node:path')
const vm = require('node:vm')
const zlib = require('node:zlib')
const esbuild = require('esbuild')
const TYPES = require('../../support/types')
const { post } = require('../../support/web-request')

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

  for (const [name, options, body, headers, expected] of [
    ['json', { limit: '1mb', depth: 5, onProtoPoisoning: 'error' }, '{"a":1}', {}, { a: 1 }],
    ['json', {}, zlib.gzipSync('{"a":1}'), { 'content-encoding': 'gzip' }, { a: 1 }],
    ['urlencoded', { extended: true }, 'a[b]=1', {}, { a: { b: '1' } }],
    ['text', {}, Buffer.from([0xC1]), { 'content-type': 'text/plain; charset=koi8-r' }, 'а'],
    ['raw', {}, 'a', {}, { 0: 97 }]
  ]) {
    it(`parses ${JSON.stringify(expected)}`, async () => {
      const parsed = await web[name](options)(post(body, { 'content-type': TYPES[name], ...headers }))
      assert.deepEqual(JSON.parse(JSON.stringify(parsed)), expected) // other prototypes in there
    })
  }

  it('reads forms with files, but to no disk', async () => {
    const data = new FormData()
    data.append('a', 'é')
    data.append('f', new File(['x'.repeat(200_000)], 'ü.bin'))
    const options = { fields: { max: 3 }, files: { f: { size: '1mb' } }, defaultCharset: 'windows-1252' }
    const { fields, files } = await web.multipart(options)(post(data))
    assert.deepEqual([fields.a, files.f[0].name, files.f[0].bytes.length], ['Ã©', 'Ã¼.bin', 200_000])
    const store = async (file) => {
      let length = (await file.peek(3)).length
      for await (const chunk of file) length += chunk.length
      return length
    }
    const stored = await web.multipart({ store })(post(data))
    const seen = [stored.files.f[0].value]
    for await (const part of web.multipart().parts(post(data))) seen.push(part.field)
    assert.deepEqual(seen, [200_003, 'a', 'f'])
    await assert.rejects(web.multipart({ files: { f: { size: 5 } } })(post(data)),
      ({ message, status }) => status === 413 && message.endsWith('at most 5 bytes'))
    assert.throws(() => web.multipart.disk('uploads'),
      ({ message }) => message.startsWith('multipart.disk needs a file system'))
  })

  for (const [what, options, body, headers, expected] of [
    ['a syntax error', {}, '{', {}, { status: 400, type: 'entity.parse.failed', expose: true }],
    ['a body over the limit', { limit: 1 }, '[1]', {}, { status: 413, type: 'entity.too.large', received: 3 }],
    ['a corrupt body', {}, 'junk', { 'content-encoding': 'gzip' }, { status: 400 }],
    ['a coding that is unknown', {}, '{}', { 'content-encoding': 'x' }, { status: 415, type: 'encoding.unsupported' }],
    ['what verify refuses', { verify () { throw new Error('no') } }, '{}', {},
      { status: 403, type: 'entity.verify.failed' }]
  ]) {
    it(`reports ${what}`, async () => {
      const request = post(body, { 'content-type': TYPES.json, ...headers })
      const error = await web.json(options)(request).catch((error) => error)
      for (const [name, value] of Object.entries(expected)) assert.equal(error[name], value, name)
    })
  }
})
