'use strict'

// Apollo Server: its standalone server, which is built on body-parser, and its
// Express integration, which wants a parser before it.

const zlib = require('node:zlib')
const { alike } = require('./support/alike')
const overridden = require('./support/overridden')
const { json } = require('./support/requests')
const { serve, sendHttp } = require('./support/serve')
const { oracle, subject } = require('./support/stack')

const typeDefs = `#graphql
  input Greeting { name: String!, times: Int }
  type Query { greet (greeting: Greeting!): String }
  type Mutation { greet (greeting: Greeting!): String }
`
const greet = (parent, { greeting: { name, times = 1 } }) => `Hello, ${name}! `.repeat(times).trim()
const resolvers = { Query: { greet }, Mutation: { greet } }
const fields = '($greeting: Greeting!) { greet(greeting: $greeting) }'
const query = JSON.stringify({ query: `query ${fields}`, variables: { greeting: { name: 'é', times: 2 } } })
const seen = { data: { greet: 'Hello, é! Hello, é!' } }
const bad = { error: { status: 400 } }

const requests = [
  { it: 'a query', headers: json, body: query, seen },
  { it: 'a query, chunked', headers: json, body: query, chunked: true, seen },
  { it: 'a query, gzip', headers: { ...json, 'content-encoding': 'gzip' }, body: zlib.gzipSync(query), seen },
  {
    it: 'a query in UTF-16',
    headers: { 'content-type': 'application/json; charset=utf-16le' },
    body: Buffer.from(query, 'utf16le'),
    seen
  },
  { it: 'a mutation', headers: json, body: query.replace('query (', 'mutation ('), seen },
  {
    it: 'a query in the URL',
    method: 'GET',
    path: `/?query=${encodeURIComponent('{greet(greeting:{name:"é"})}')}`,
    headers: json,
    seen: { data: { greet: 'Hello, é!' } }
  },
  { it: 'variables that do not fit', headers: json, body: query.replace('"name"', '"title"'), ...bad },
  { it: 'a query of syntax errors', headers: json, body: '{"query":"{"}', ...bad },
  { it: 'JSON that is broken', headers: json, body: query.slice(1), ...bad },
  { it: 'an object without a query', headers: json, body: '{}', ...bad },
  { it: 'a list, as batching is off', headers: json, body: `[${query}]`, ...bad },
  { it: 'an empty body', headers: json, body: '', ...bad },
  { it: 'no body', headers: json, ...bad },
  { it: 'text', headers: { 'content-type': 'text/plain' }, body: query, ...bad },
  {
    it: 'a charset that JSON has not',
    headers: { 'content-type': 'application/json; charset=koi8-r' },
    body: query,
    error: { status: 415 }
  },
  {
    it: 'JSON over the limit of Express',
    headers: json,
    body: query.replace('é', 'é'.repeat(500)),
    error: { status: 413 }
  }
]

describe('Apollo Server', () => {
  describe('standalone, under overrides', () => {
    const start = async (require) => {
      const { ApolloServer } = require('@apollo/server')
      const { startStandaloneServer } = require('@apollo/server/standalone')
      const server = new ApolloServer({ typeDefs, resolvers, includeStacktraceInErrorResponses: false })
      const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: 0 } })
      return { ask: (request) => sendQuietly(new URL(url).port, request), close: () => server.stop() }
    }
    const limitless = requests.filter(({ error }) => error?.status !== 413) // it takes 50 MB
    alike(async () => start(await overridden()), () => start(require), { requests: limitless })
  })

  const integrations = [
    ['5', 'express', '@as-integrations/express5', []],
    ['4', 'express-4', '@as-integrations/express4', [ensureBody]] // it insists on a body, as body-parser 1 gave always
  ]
  for (const [name, express, integration, between] of integrations) {
    const create = (bodyParser) => async () => {
      const { ApolloServer } = require('@apollo/server')
      const { expressMiddleware } = require(integration)
      const server = new ApolloServer({ typeDefs, resolvers, includeStacktraceInErrorResponses: false })
      await server.start()
      const app = require(express)()
      app.set('env', 'test') // or Express logs errors
      app.use('/', bodyParser.json({ limit: '500' }), ...between, expressMiddleware(server))
      const side = await serve(app)
      return {
        ask: async (request) => withoutStack(await side.ask(request)),
        close: () => Promise.all([side.close(), server.stop()])
      }
    }
    describe(`in Express ${name}, after our parser`, () => alike(create(subject), create(oracle), { requests }))
  }
})

/** As docs/from-body-parser.md has it for who comes from version 1. */
function ensureBody (req, res, next) {
  req.body ??= {}
  next()
}

/** Its standalone server logs the errors that it answers. */
async function sendQuietly (port, request) {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'test'
  try {
    return withoutStack(await sendHttp(port, request))
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

/** Pages for errors show the frames of the parser that made them. */
function withoutStack ({ text, ...answer }) {
  return { ...answer, text: text.replace(/(<br> &nbsp; &nbsp;at [^<]*)+/, '') }
}
