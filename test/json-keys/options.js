'use strict'

// Every way into the parsers, in an engine that confuses keys.

const assert = require('node:assert/strict')
const inConfusedEngine = require('../support/confused-engine')
const { typed } = require('../support/outcome')
const parseContent = require('../support/parse-content')
const schemaOf = require('../support/schema-of')
const { inChunks, outcomeOf } = require('../support/slices')

const TYPE = 'application/json'
const TEXT = '{"b":1,"\\u00e9":[{"\\"":"\\n"}],"\\\\":{"__pr\\u006fto__":3}}'
const PROTO = JSON.parse('{"__proto__":3}')
const EXPECTED = typed({ b: 1, é: [{ '"': '\n' }], '\\': PROTO })
const SLICED = { cooperative: { threshold: 0 } }

const parse = (options, body = TEXT, type = TYPE) =>
  inConfusedEngine('types/json.js', (json) => parseContent(json(options), type, body))

describe('json in an engine that confuses keys', () => {
  const OPTIONS = {
    'by default': {},
    'with a reviver': { reviver: (key, value) => value },
    'with depth': { depth: 10 },
    'with empty': { empty: 'error' },
    'in slices': SLICED,
    'with a schema': { schema: schemaOf((value) => ({ value })) },
    'with onConstructorPoisoning, which finds nothing': { onConstructorPoisoning: 'error' }
  }
  for (const [title, options] of Object.entries(OPTIONS)) {
    it(`has the right keys ${title}`, async () => assert.deepEqual(typed(await parse(options)), EXPECTED))
  }

  it('has the right keys in another charset', async () => {
    const value = await parse({}, Buffer.from(TEXT, 'utf16le'), `${TYPE}; charset=utf-16le`)
    assert.deepEqual(typed(value), EXPECTED)
  })

  for (const [what, options] of Object.entries({ 'at once': {}, 'in slices': SLICED })) {
    it(`refuses and removes poisoned keys ${what}`, async () => {
      assert.deepEqual((await parse({ ...options, onProtoPoisoning: 'remove' }))['\\'], {})
      await assert.rejects(parse({ ...options, onProtoPoisoning: 'error' }),
        { status: 400, message: 'Object contains forbidden prototype property' })
    })

    it(`reports the errors of JSON.parse ${what}`, async () => {
      for (const text of [`${TEXT}x`, '{"\\u00e9":1,}', '{"\\x":1}', '{"\\"":1']) {
        const { error: { message } } = outcomeOf(() => JSON.parse(text))
        await assert.rejects(parse(options, text), { status: 400, type: 'entity.parse.failed', message })
      }
    })
  }

  it('has the right keys by read() of a body that was read before', () =>
    inConfusedEngine('types/json.js', async (json) => {
      const req = { headers: { 'content-type': TYPE }, body: TEXT }
      assert.deepEqual(typed(await json({ buffered: true }).read(req, {})), EXPECTED)
    }))

  it('has the right keys in fast-body-parser/web', () => inConfusedEngine('web/index.js', async ({ json }) => {
    const request = new Request('http://a/', { method: 'POST', headers: { 'content-type': TYPE }, body: TEXT })
    assert.deepEqual(typed(await json({})(request)), EXPECTED)
  }))

  it('has the right keys in fast-body-parser/json-slices, wherever the text is cut', () =>
    inConfusedEngine('json-slices/index.js', async (parse) => {
      for (const size of [1, 7, TEXT.length]) assert.deepEqual(typed(await parse(inChunks(TEXT, size))), EXPECTED, size)
      assert.deepEqual(typed(await parse(TEXT)), EXPECTED)
    }))

  it('gives the option parse the text as it is', async () => {
    assert.equal(await parse({ parse: (text) => text }), TEXT)
  })
})
