'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const fetchFrom = require('../support/express')

const UPLOADS = fs.mkdtempSync(path.join(os.tmpdir(), 'uploads-'))

function post (app, url, parts) {
  const body = new FormData()
  for (const [name, ...part] of parts) body.append(name, ...part)
  return send(app, url, { body })
}

/** As a client of an API does. */
const postJson = (app,
  url) => send(app, url, { body: '{"title":"me"}', headers: { 'content-type': 'application/json' } })

async function send (app, url, message) {
  const { status, text } = await fetchFrom([app], message, url)
  return [status, JSON.parse(text)]
}

describe('examples of uploads', () => {
  after(() => fs.rmSync(UPLOADS, { recursive: true, force: true }))

  it('body-to-disk.js writes a body, and leaves nothing of one that is too large', async () => {
    const folder = path.join(UPLOADS, 'bodies')
    Object.assign(process.env, { MAX: '200000', UPLOADS: folder })
    const app = require('../../examples/body-to-disk')
    delete process.env.MAX
    delete process.env.UPLOADS
    app.use((error, req, res, next) => res.status(error.status).json(error.message))
    const headers = { 'content-type': 'a/b' }
    const files = () => fs.readdirSync(folder)
    assert.deepEqual(await send(app, '/files', { body: 'x'.repeat(200_000), headers }), [201, { size: 200_000 }])
    assert.equal(fs.readFileSync(path.join(folder, files()[0]), 'latin1'), 'x'.repeat(200_000))
    const large = { body: 'x'.repeat(200_001), headers }
    assert.deepEqual(await send(app, '/files', large), [413, { error: 'too large' }])
    const chunked = { body: new Blob([large.body]).stream(), headers }
    const [status] = await send(app, '/files', chunked).catch(() => [413]) // the connection may be gone before
    assert.equal(status, 413)
    while (files().length > 1) await delay(1)
  })

  it('avatar.js keeps a picture, and nothing else', async () => {
    process.env.UPLOADS = UPLOADS
    const app = require('../../examples/avatar')
    delete process.env.UPLOADS
    const png = new Blob(['png'], { type: 'image/png' })
    assert.deepEqual(await post(app, '/users/7', [['title', 'me'], ['avatar', png, '../x.php']]),
      [201, { title: 'me', size: 3, saved: '7.png' }])
    assert.equal(fs.readFileSync(path.join(UPLOADS, 'avatars/7.png'), 'utf8'), 'png')
    assert.deepEqual(await post(app, '/users/8', [['title', 'me']]), [400, { error: 'avatar is missing' }])
    assert.deepEqual(await postJson(app, '/users/8'), [400, { error: 'avatar is missing' }])
    assert.deepEqual(await post(app, '/users/8', [['avatar', new Blob(['x'], { type: 'text/html' }), 'x.png']]),
      [415, { error: { status: 415, type: 'multipart.file.type.unsupported', field: 'avatar' } }])
    assert.deepEqual(await post(app, '/users/8',
      [['avatar', new Blob([Buffer.alloc(5 * 2 ** 20 + 1)], { type: 'image/png' })]]),
    [413, { error: { status: 413, type: 'multipart.file.too.large', field: 'avatar', limit: 5 * 2 ** 20 } }])
    for (const id of ['ada', '7a', '07', '1e3', '..%2Fx']) { // two users must not have one name
      assert.deepEqual(await post(app, `/users/${id}`, [['avatar', png, 'x.png']]), [404, { error: 'user is unknown' }])
    }
    while (fs.readdirSync(path.join(UPLOADS, 'incoming')).length > 0) await delay(1)
    assert.deepEqual(fs.readdirSync(path.join(UPLOADS, 'avatars')), ['7.png'])
  })

  it('form-with-json.js parses and checks a field, and streams a file', async () => {
    const app = require('../../examples/form-with-json')
    const file = new Blob(['hello'])
    assert.deepEqual(await post(app, '/', [['data', '{"tags":["a"]}'], ['file', file, 'x']]),
      [200,
        { tags: ['a'],
          files: [{
            name: 'x',
            size: 5,
            sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
          }] }])
    assert.deepEqual(await postJson(app, '/'),
      [415, { error: { status: 415, type: 'media.type.unsupported', issues: [] } }])
    assert.deepEqual(await post(app, '/', [['data', '{']]),
      [422, { error: { status: 422, type: 'entity.invalid', issues: ['data: not JSON'] } }])
    assert.deepEqual(await post(app, '/', [['data', '{}']]),
      [422,
        { error: {
          status: 422,
          type: 'entity.invalid',
          issues: ['data.tags: Invalid input: expected array, received undefined']
        } }])
  })

  it('upload-progress.js serves a page, and takes what it sends', async () => {
    process.env.UPLOADS = UPLOADS
    const app = require('../../examples/upload-progress')
    delete process.env.UPLOADS
    const { text: page } = await fetchFrom([app], { method: 'GET' })
    assert.match(page, /upload\.addEventListener\('progress'/)
    assert.deepEqual(await post(app, '/', [['file', new Blob(['hello']), 'x'], ['file', new Blob(['']), 'y']]),
      [200, [{ name: 'x', size: 5 }, { name: 'y', size: 0 }]])
    assert.deepEqual(await postJson(app, '/'), [200, []])
    assert.deepEqual(await post(app, '/', [['title', '1']]), [413, { error: 'multipart.fields.too.many' }])
  })
})
