'use strict'

// Every way into the parsers, in an engine that confuses keys.

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const inConfusedEngine = require('../support/confused-engine')
const { outcomeOfAll } = require('../support/lane')
const { typed } = require('../support/outcome')
const schemaOf = require('../support/schema-of')

const TYPE = 'application/json'
const TEXT = '{"b":1,"\\u00e9":[{"\\"":"\\n"}],"\\\\":{"__pr\\u006fto__":3}}'
const PROTO = JSON.parse('{"__proto__":3}')
const EXPECTED = { b: 1, é: [{ '"': '\n' }], '\\': PROTO }

const check = (name, use) => inConfusedEngine(name, use)
const parsed = async (options, body = TEXT, type = TYPE) => check('types/json.js', async (json) => {
  const { error, body: value } = await outcomeOfAll(json(options), type, body)
  assert.equal(error, 'none')
  return value
})

describe('json in an engine that confuses keys', () => {
  const OPTIONS = {
    'by default': {},
    'without strict': { strict: false },
    'with a reviver': { reviver: (key, value) => value },
    'with depth': { depth: 10 },
    'with empty': { empty: 'error' },
    'with cooperative': { cooperative: true },
    'with cooperative, in slices': { cooperative: { threshold: 0 } },
    'with a schema': { schema: schemaOf((value) => ({ value })) },
    'with onConstructorPoisoning, which finds nothing': { onConstructorPoisoning: 'error' }
  }
  for (const [title, options] of Object.entries(OPTIONS)) {
    it(`has the right keys ${title}`, async () => assert.deepEqual(await parsed(options), typed(EXPECTED)))
  }

  it('has the right keys in every charset', async () => {
    for (const [charset, body] of [['utf-16le', Buffer.from(TEXT, 'utf16le')],
      ['utf-7', Buffer.from(TEXT.replaceAll('\\', '+AFw-').replaceAll('"', '+ACI-'))]]) {
      assert.deepEqual(await parsed({}, body, `${TYPE}; charset=${charset}`), typed(EXPECTED))
    }
  })

  for (const options of [{}, { cooperative: { threshold: 0 } }]) {
    it(`refuses and removes poisoned keys with ${JSON.stringify(options)}`, async () => {
      assert.deepEqual(await parsed({ ...options, onProtoPoisoning: 'remove' }), typed({ ...EXPECTED, '\\': {} }))
      await check('types/json.js', async (json) => {
        const { error } = await outcomeOfAll(json({ ...options, onProtoPoisoning: 'error' }), TYPE, TEXT)
        assert.deepEqual([error.status, error.message], [400, 'Object contains forbidden prototype property'])
      })
    })

    it(`reports the errors of JSON.parse with ${JSON.stringify(options)}`, () =>
      check('types/json.js', async (json) => {
        for (const text of [`${TEXT}x`, '{"\\u00e9":1,}', '{"\\x":1}', '{"\\"":1']) {
          let message
          assert.throws(() => JSON.parse(text), (error) => { message = error.message; return true })
          const { error } = await outcomeOfAll(json(options), TYPE, text)
          assert.deepEqual([error.status, error.type, error.message], [400, 'entity.parse.failed', message])
        }
      }))
  }

  it('has the right keys by read()', () => check('types/json.js', async (json) => {
    const req = { headers: { 'content-type': TYPE }, body: TEXT }
    assert.deepEqual(typed(await json({ buffered: true }).read(req, {})), typed(EXPECTED))
  }))

  it('has the right keys in fast-body-parser/web', () => check('web/index.js', async ({ json }) => {
    for (const [coding, encode] of [['identity', Buffer.from], ['gzip', zlib.gzipSync]]) {
      const request = new Request('http://a/',
        { method: 'POST', headers: { 'content-type': TYPE, 'content-encoding': coding }, body: encode(TEXT) })
      assert.deepEqual(typed(await json({})(request)), typed(EXPECTED))
    }
  }))

  it('has the right keys in fast-body-parser/json-slices, wherever the text is cut', () =>
    check('json-slices/index.js', async (parse) => {
      const bytes = Buffer.from(TEXT)
      for (let size = 1; size <= bytes.length; size++) {
        const chunks = []
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
        assert.deepEqual(typed(await parse(chunks)), typed(EXPECTED), size)
      }
      assert.deepEqual(typed(await parse(TEXT)), typed(EXPECTED))
    }))

  it('gives the option parse the text as it is', async () => {
    assert.deepEqual(await parsed({ parse: (text) => ({ text }) }), typed({ text: TEXT }))
  })
})
