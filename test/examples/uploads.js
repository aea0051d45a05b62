'use strict'

const assert = require('node:assert/strict')
const fetchFrom = require('../support/express')
const useFolder = require('../support/folder')
const within = require('../support/within')

const JSON_MESSAGE = { body: '{"title":"me"}', headers: { 'content-type': 'application/json' } }

async function send (app, url, message) {
  const { status, text } = await fetchFrom([app], message, url)
  return [status, JSON.parse(text)]
}

/** Sends a form. */
function post (app, url, ...parts) {
  const body = new FormData()
  for (const [name, ...part] of parts) body.append(name, ...part)
  return send(app, url, { body })
}

describe('examples of uploads', () => {
  const folder = useFolder()

  /** An example, with files in the folder. */
  const load = (name, env) =>
    within(process, { env: { ...process.env, UPLOADS: folder.at(), ...env } }, () => require(`../../examples/${name}`))

  it('body-to-disk.js writes a body, and leaves nothing of one that is too large', async () => {
    const app = load('body-to-disk', { MAX: '200000' })
    app.use((error, req, res, next) => res.status(error.status).json(error.message))
    const headers = { 'content-type': 'a/b' }
    const body = 'x'.repeat(200_000)
    assert.deepEqual(await send(app, '/files', { body, headers }), [201, { size: 200_000 }])
    assert.equal(folder.read(folder.names()[0]), body)
    const large = { body: `${body}x`, headers }
    assert.deepEqual(await send(app, '/files', large), [413, { error: 'too large' }])
    const chunked = { body: new Blob([large.body]).stream(), headers }
    const [status] = await send(app, '/files', chunked).catch(() => [413]) // the connection may be gone before
    assert.equal(status, 413)
    await folder.emptied('', 1)
  })

  it('avatar.js keeps a picture, and nothing else', async () => {
    const app = load('avatar')
    const picture = (bytes, type = 'image/png') => ['avatar', new Blob([bytes], { type }), '../x.php']
    const refusal = (status, type, more) => [status, { error: { status, type, field: 'avatar', ...more } }]
    const missing = [400, { error: 'avatar is missing' }]
    assert.deepEqual(await post(app, '/users/7', ['title', 'me'], picture('png')),
      [201, { title: 'me', size: 3, saved: '7.png' }])
    assert.equal(folder.read('avatars/7.png'), 'png')
    assert.deepEqual(await post(app, '/users/8', ['title', 'me']), missing)
    assert.deepEqual(await send(app, '/users/8', JSON_MESSAGE), missing)
    assert.deepEqual(await post(app, '/users/8', picture('x', 'text/html')),
      refusal(415, 'multipart.file.type.unsupported'))
    const limit = 5 * 2 ** 20
    assert.deepEqual(await post(app, '/users/8', picture(Buffer.alloc(limit + 1))),
      refusal(413, 'multipart.file.too.large', { limit }))
    for (const id of ['ada', '7a', '07', '1e3', '..%2Fx']) { // two users must not have one name
      assert.deepEqual(await post(app, `/users/${id}`, picture('png')), [404, { error: 'user is unknown' }])
    }
    await folder.emptied('incoming')
    assert.deepEqual(folder.names('avatars'), ['7.png'])
  })

  it('form-with-json.js parses and checks a field, and streams a file', async () => {
    const app = load('form-with-json')
    const refusal = (status, type, ...issues) => [status, { error: { status, type, issues } }]
    const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
    assert.deepEqual(await post(app, '/', ['data', '{"tags":["a"]}'], ['file', new Blob(['hello']), 'x']),
      [200, { tags: ['a'], files: [{ name: 'x', size: 5, sha256 }] }])
    assert.deepEqual(await send(app, '/', JSON_MESSAGE), refusal(415, 'media.type.unsupported'))
    assert.deepEqual(await post(app, '/', ['data', '{']), refusal(422, 'entity.invalid', 'data: not JSON'))
    assert.deepEqual(await post(app, '/', ['data', '{}']),
      refusal(422, 'entity.invalid', 'data.tags: Invalid input: expected array, received undefined'))
  })

  it('upload-progress.js serves a page, and takes what it sends', async () => {
    const app = load('upload-progress')
    const { text: page } = await fetchFrom([app], { method: 'GET' })
    assert.match(page, /upload\.addEventListener\('progress'/)
    assert.deepEqual(await post(app, '/', ['file', new Blob(['hello']), 'x'], ['file', new Blob(['']), 'y']),
      [200, [{ name: 'x', size: 5 }, { name: 'y', size: 0 }]])
    assert.deepEqual(await send(app, '/', JSON_MESSAGE), [200, []])
    assert.deepEqual(await post(app, '/', ['title', '1']), [413, { error: 'multipart.fields.too.many' }])
  })
})
