'use strict'

const assert = require('node:assert/strict')
const { z } = require('zod')
const { createBudget } = require('fast-body-parser')
const { collect, collectChunks, collectToKeep } = require('../lib/core/body/collect')
const Exchange = require('../lib/core/body/exchange')
const { Match } = require('../lib/core/body/match')
const createParser = require('../lib/compose')

const TEXT = { charsets: { allows: () => true, fallback: 'utf-8' }, parse: (text) => text }

/** A parser of text, but for these fields, with these options. */
const create = (fields, options) => createParser('text', { type: 'a/b', ...options }, () => ({ ...TEXT, ...fields }))

/** Runs the stages of a parser over the content `text`; gives the request and the arguments of `next`. */
function run (parser, { req = {}, content = Buffer.from('text'), decode = String } = {}) {
  return new Promise((resolve) => {
    const match = new Match({ charset: 'utf-8', decode })
    const exchange = new Exchange({
      req: Object.assign(req, { headers: {} }),
      res: 'res',
      next: (...args) => resolve({ req, args }),
      match,
      parser
    })
    parser.run(exchange, content)
  })
}

describe('middleware', () => {
  describe('stages', () => {
    it('give a parser of chunks the chunks, or the bytes that an earlier stage had as one chunk', async () => {
      for (const content of [[Buffer.from('te'), Buffer.from('xt')], Buffer.from('text')]) {
        const { req } = await run(create({ input: 'chunks', isAsync: true, parse: (chunks) => chunks }), { content })
        assert.deepEqual(req.body, Array.isArray(content) ? content : [content])
      }
    })

    it('keep the bytes, then verify, then parse, then check', async () => {
      const order = []
      const req = Object.defineProperty({}, 'rawBody', { get () {}, set (bytes) { order.push(`keep ${bytes}`) } })
      const schema = z.string().refine((text) => order.push(`check ${text}`))
      const verify = (req, res, bytes) => { order.push(`verify ${bytes}`) }
      const parse = (text) => {
        order.push(`parse ${text}`)
        return text
      }
      const parser = create({ parse }, { schema, rawBody: true, verify })
      await run(parser, { req })
      assert.deepEqual(order, ['keep text', 'verify text', 'parse text', 'check text'])
    })

    it('run in the same tick after a verify that returns no promise', async () => {
      for (const verdict of [undefined, null, 5, { then: 'soon' }]) {
        const seen = []
        await run(create({ parse () { seen.push('parse') } },
          { verify () { process.nextTick(() => seen.push('tick')); return verdict } }))
        await new Promise(setImmediate)
        assert.deepEqual(seen, ['parse', 'tick'])
      }
    })

    it('put even a promise into req.body for a parser that is not asynchronous', async () => {
      const promise = Promise.resolve('later')
      const { req, args } = await run(create({ parse: () => promise }))
      assert.equal(req.body, promise)
      assert.deepEqual(args, [])
    })

    // A getter without a setter, as an app or a framework may define it.
    for (const [property, what, fields, options, content] of [
      ['body', 'a parser', {}, {}, 'text'],
      ['body', 'a parser that returns a promise', { isAsync: true, parse: async () => 1 }, {}, 'text'],
      ['body', 'a parser of chunks', { isAsync: true, input: 'chunks' }, {}, 'text'],
      ['rawBody', 'the option rawBody', {}, { rawBody: true }, Buffer.from('text')]
    ]) {
      it(`report for ${what} that req.${property} cannot be set`, async () => {
        const req = Object.defineProperty({}, property, { get () {} })
        const { args: [error, ...more] } = await run(create(fields, options), { req })
        assert.ok(error instanceof TypeError)
        assert.deepEqual([error.status, error.type, error.body, more], [400, 'entity.parse.failed', content, []])
      })
    }

    it('report what the decoder throws for a text longer than a string can be', async () => {
      const decode = () => { throw new RangeError('too long') }
      for (const isAsync of [false, true]) {
        const { args: [error] } = await run(create({ isAsync }), { decode })
        assert.deepEqual([error.message, error.status, error.type, error.body],
          ['too long', 400, 'entity.parse.failed', undefined])
      }
    })

    it('leave the errors of a parser of chunks as they are', async () => {
      const fault = new Error('of the records')
      for (const parse of [() => { throw fault }, async () => { throw fault }]) {
        const { args: [error] } = await run(create({ input: 'chunks', isAsync: true, parse }))
        assert.equal(error, fault)
        assert.deepEqual({ ...error }, {})
      }
    })
  })

  describe('what read needs to know', () => {
    it('is the reader: of a list of chunks, of one Buffer, or of one that keeps no other memory', () => {
      const readers = (fields, options) => {
        const { collectCoded, reader } = create(fields, options)
        return [reader, collectCoded]
      }
      const CHUNKS = { input: 'chunks', isAsync: true }
      assert.deepEqual(readers(), [collect, collect])
      assert.deepEqual(readers({ charsets: null, input: 'bytes' }), [collectToKeep, collect])
      assert.deepEqual(readers(CHUNKS), [collectChunks, collect])
      for (const fields of [{}, CHUNKS]) {
        for (const options of [{ rawBody: true }, { verify () {} }]) {
          assert.deepEqual(readers(fields, options), [collectToKeep, collectToKeep])
        }
      }
      for (const options of [{ timeout: 1000 }, { minRate: 10 }, { budget: createBudget({ bytes: 10 }) }]) {
        assert.deepEqual(readers({}, options).map(({ name }) => name), ['collectGuarded', 'collectGuarded'])
      }
    })
  })
})
