'use strict'

// What a request without a form is to a rule of `files` with a `min`. test/compat/unread-bodies.js has it behind other
// code, and by the loop over the parts.

const assert = require('node:assert/strict')
const { multipart } = require('../../../')
const exchange = require('../../support/exchange')
const { messageOf } = require('../../support/lanes')
const { form, shown, upload } = require('../../support/upload')

describe('a rule that requires files', () => {
  const parser = multipart({ files: { avatar: { min: 2, max: 3 } } })
  const json = { headers: { 'Content-Type': 'application/json' }, body: '{}' }
  const unsupported = { status: 415, type: 'media.type.unsupported' }
  const tooFew = { status: 400, type: 'multipart.files.too.few', limit: 2, field: 'avatar' }

  for (const [what, request, expected] of [['JSON', json, unsupported], ['an empty request', {}, tooFew]]) {
    it(`refuses ${what} by POST, PUT and PATCH`, async () => {
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const seen = {}
        await exchange((req, res, next) => parser(req, res, (...args) => {
          [seen.error, seen.accept] = [args[0], res.getHeader('Accept')]
          next(...args)
        }), messageOf({ method, ...request }))
        assert.deepEqual(shown(seen.error ?? {}), expected, method)
        if (expected === unsupported) assert.match(seen.accept, /^multipart\/form-data/)
      }
    })
  }

  it('lets pass other methods, and forms that it has read', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS']) {
      for (const request of [{}, json]) {
        assert.equal((await exchange(parser, messageOf({ method, ...request }))).error, 'none', method)
      }
    }
    const files = [1, 2].map((index) => ['avatar', 'x', `${index}.png`])
    const twice = (req, res, next) => parser(req, res, (error) => error ? next(error) : parser(req, res, next))
    const { error, files: { avatar } } = await upload(twice, form(...files))
    assert.deepEqual([error, avatar.length], [undefined, 2])
  })

  it('refuses what a platform has read', async () => {
    const buffered = multipart({ buffered: true, files: { avatar: { min: 1 } } })
    const headers = { 'content-type': 'application/json' }
    for (const [req, type] of [
      [{ method: 'POST', headers, body: { a: 1 } }, 'media.type.unsupported'],
      [{ method: 'POST', headers: {}, body: {} }, 'multipart.files.too.few']
    ]) {
      await assert.rejects(buffered.read(req, {}), { type })
    }
    const get = { method: 'GET', headers: {} }
    await buffered.read(get, {})
    assert.deepEqual(get.files, Object.create(null))
  })
})
