'use strict'

const assert = require('node:assert/strict')
const oracle = require('body-parser')
const subject = require('fast-body-parser')

const NAMES = ['json', 'raw', 'text', 'urlencoded']

describe('exports', () => {
  it('are a function that throws, like those of body-parser', () => {
    for (const bodyParser of [subject, oracle]) {
      assert.equal(bodyParser.name, 'bodyParser')
      assert.equal(bodyParser.length, 0)
      const message = 'The bodyParser() generic has been split into individual middleware to use instead.'
      assert.throws(() => bodyParser(), { name: 'Error', message })
      assert.throws(() => new bodyParser(), { name: 'Error', message })
    }
  })

  it('have the factories as plain properties', () => {
    assert.deepEqual(Object.keys(subject),
      [...NAMES, 'createParser', 'multipart', 'ndjson', 'jsonArray', 'createBudget', 'problemDetails',
        'refuseUnparsed'])
    for (const name of NAMES) {
      const { value, ...flags } = Object.getOwnPropertyDescriptor(subject, name)
      assert.deepEqual(flags, { writable: true, enumerable: true, configurable: true })
      assert.equal(value.name, name)
      assert.equal(value.length, 1)
    }
  })

  for (const name of NAMES) {
    it(`${name}() makes a middleware with the name and length of body-parser's`, () => {
      for (const options of [undefined, null, 5, 'text', true, {}]) {
        const [ours, theirs] = [subject[name](options), oracle[name](options)]
        assert.equal(ours.name, `${name}Parser`)
        assert.equal(ours.name, theirs.name)
        assert.equal(ours.length, 3)
      }
    })

    it(`the middleware of ${name}() returns nothing`, () => {
      const req = { headers: {}, complete: false, socket: { readable: true } }
      assert.equal(subject[name]()(req, {}, () => 'value'), undefined)
    })
  }

  for (const [name, file = name] of [...NAMES.map((name) => [name]), ['multipart'], ['ndjson'],
    ['jsonArray', 'json-array']]) {
    it(`fast-body-parser/${file} and its long paths are the property ${name}`, () => {
      for (const subpath of [file, `lib/types/${file}`, `lib/types/${file}.js`]) {
        assert.equal(require(`fast-body-parser/${subpath}`), subject[name])
      }
    })
  }

  it('include package.json', () => {
    assert.equal(require('fast-body-parser/package.json').name, 'fast-body-parser')
  })

  it('include lib/read, the function that reads one request, as in body-parser', () => {
    for (const name of ['fast-body-parser', 'body-parser']) {
      const read = require(`${name}/lib/read`)
      assert.equal(require(`${name}/lib/read.js`), read)
      assert.equal(read.name, 'read')
    }
  })

  it('include no other path', () => {
    for (const subpath of ['lib/core/errors', 'index', 'index.js', 'lib', 'nothing']) {
      assert.throws(() => require(`fast-body-parser/${subpath}`), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })
    }
  })

  it('can be imported by name', async () => {
    const { default: imported, ...names } = await import('fast-body-parser')
    const { default: alone } = await import('fast-body-parser/json')
    for (const name of NAMES) assert.equal(names[name], imported[name])
    assert.equal(alone, imported.json)
  })
})
