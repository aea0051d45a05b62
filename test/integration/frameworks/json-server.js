'use strict'

// json-server, which is built on Express 4 and body-parser 1: put on ours by
// overrides, it does what it does on its own.

const { alike } = require('./support/alike')
const overridden = require('./support/overridden')
const { json } = require('./support/requests')
const { serve } = require('./support/serve')

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const data = () => ({
  posts: [{ id: 1, title: 'a', views: 1 }, { id: 2, title: 'b', views: 2 }],
  comments: [{ id: 1, text: 'c', postId: 1 }],
  profile: { name: 'typicode' }
})
const post = JSON.stringify({ title: 'é', views: 3 })

const changes = [
  { it: 'makes a post', path: '/posts', headers: json, body: post, made: { title: 'é', views: 3, id: 3 } },
  {
    it: 'makes one of a chunked body',
    path: '/posts',
    headers: json,
    body: post,
    chunked: true,
    made: { title: 'é', views: 3, id: 4 }
  },
  {
    it: 'makes one of a form',
    path: '/posts',
    headers: form,
    body: 'title=%C3%A9&views=3',
    made: { title: 'é', views: '3', id: 5 }
  },
  { it: 'makes one of nothing', path: '/posts', headers: json, body: '', made: { id: 6 } },
  {
    it: 'makes one of 200 KB',
    path: '/posts',
    headers: json,
    body: JSON.stringify({ title: 'x'.repeat(200_000) }),
    made: { title: 'x'.repeat(200_000), id: 7 }
  },
  { it: 'makes one with its id', path: '/posts', headers: json, body: '{"id":"x"}', made: { id: 'x' } },
  {
    it: 'makes a comment to a post',
    path: '/posts/1/comments',
    headers: json,
    body: '{"text":"d"}',
    made: { text: 'd', postId: '1', id: 2 }
  },
  {
    it: 'replaces one',
    method: 'PUT',
    path: '/posts/1',
    headers: json,
    body: '{"title":"new"}',
    seen: { title: 'new', id: 1 }
  },
  {
    it: 'changes one',
    method: 'PATCH',
    path: '/posts/2',
    headers: json,
    body: '{"views":9}',
    seen: { id: 2, title: 'b', views: 9 }
  },
  { it: 'changes one by nothing', method: 'PATCH', path: '/posts/2', seen: { id: 2, title: 'b', views: 9 } },
  {
    it: 'changes none that is not there',
    method: 'PATCH',
    path: '/posts/99',
    headers: json,
    body: '{}',
    error: { status: 404 }
  },
  {
    it: 'changes the only one',
    method: 'PATCH',
    path: '/profile',
    headers: json,
    body: '{"name":"me"}',
    seen: { name: 'me' }
  },
  { it: 'removes one', method: 'DELETE', path: '/posts/1', seen: {} },
  { it: 'refuses broken JSON', path: '/posts', headers: json, body: post.slice(1), error: { status: 400 } },
  {
    it: 'refuses JSON over its limit',
    path: '/posts',
    headers: json,
    body: JSON.stringify({ title: 'x'.repeat(10 * 2 ** 20) }),
    error: { status: 413 }
  },
  { it: 'has it all then', method: 'GET', path: '/db' },
  {
    it: 'finds no object in a request without a body, as with body-parser 2',
    path: '/posts/2/comments',
    error: { status: 500 }
  }
].map(({ made, ...request }) => made ? { ...request, status: 201, seen: made } : request)

describe(`json-server ${require('json-server/package.json').version}, under overrides`, () => {
  const start = async (require) => {
    const jsonServer = require('json-server')
    const app = jsonServer.create()
    app.set('env', 'test') // or Express logs errors
    app.use(jsonServer.defaults({ logger: false }))
    app.use(jsonServer.bodyParser)
    app.use(jsonServer.router(data()))
    app.use((error, req, res, next) =>
      res.status(error.status ?? 500).json({ message: error.message, type: error.type }))
    const { ask, close } = await serve(app)
    return { ask: (request) => quietly(() => ask(request)), close }
  }
  alike(async () => start(await overridden()), () => start(require), {
    requests: changes,
    many: false,
    theirs: { [changes.at(-1).it]: { status: 201, seen: { postId: '2', id: 1 }, error: undefined } }
  })
})

/** Its router logs the errors that it answers. */
async function quietly (action) {
  const { error } = console
  console.error = () => {}
  try {
    return await action()
  } finally {
    console.error = error
  }
}
