'use strict'

// examples/nest-stream.js and examples/graphql-upload.js: files that a handler of a framework streams.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const Module = require('node:module')
const path = require('node:path')
const express = require('express')
const { listen, stop } = require('../../../tools/local-server')
const { field, file, form } = require('../../support/multer-rows')
const startNest = require('../support/nest')

const SIZE = 16 * 2 ** 20 // bytes, more than what is on its way
const CONTENT = 'x'.repeat(SIZE)
const HEADERS = { 'content-type': 'multipart/form-data; boundary=b', 'x-apollo-operation-name': 'upload' }

async function lengthOf (file) {
  let length = 0
  for await (const chunk of file) length += chunk.length
  return length
}

describe('an interceptor of NestJS that streams files', () => {
  let side

  before(async () => {
    const upload = async (req) => {
      const lengths = {}
      for await (const file of req.files) lengths[file.field] = await lengthOf(file)
      return { fields: req.body, lengths }
    }
    const StreamedFiles = require('../../../examples/nest-stream')
    const interceptor = StreamedFiles({ fields: { max: 1 }, files: { video: { size: '5gb' } } })
    side = await startNest(require, async () => ({ routes: { '/': [upload, interceptor] } }), { bodyParser: false })
  })

  after(() => side.close())

  it('gives a controller the fields, and the files in a loop', async () => {
    const body = form(field('title', 'me'), file('video', 'x', CONTENT))
    const { text } = await side.ask({ headers: HEADERS, body })
    assert.deepEqual(JSON.parse(text), { fields: { title: 'me' }, lengths: { video: SIZE } })
  })

  it('answers what is wrong before the first file by its status', async () => {
    const body = form(field('title'), field('other'), file('video'))
    assert.equal((await side.ask({ headers: HEADERS, body })).status, 413)
  })
})

describe('a GraphQL multipart request', () => {
  const servers = []

  before(async () => {
    // The example finds the packages that the integration tests install.
    Object.assign(process.env, { NODE_PATH: path.join(__dirname, '../node_modules'), PORT: '0' })
    Module._initPaths()
    servers.push(await require('../../../examples/graphql-upload').start())
    delete process.env.NODE_PATH
    delete process.env.PORT
    Module._initPaths()
    if (!servers[0].listening) await once(servers[0], 'listening')
  })

  after(() => servers.forEach(stop))

  async function upload (server, map) {
    const query = 'mutation ($file: Upload!) { lengthOf(file: $file) }'
    const operations = JSON.stringify({ query, variables: { file: null } })
    const body = form(field('operations', operations), field('map', JSON.stringify(map)), file('0', 'x', CONTENT))
    const url = `http://127.0.0.1:${server.address().port}/graphql`
    const response = await fetch(url, { method: 'POST', headers: HEADERS, body })
    return [response.status, await response.json()]
  }

  it('streams its file to a resolver of Apollo Server', async () => {
    assert.deepEqual(await upload(servers[0], { 0: ['variables.file'] }), [200, { data: { lengthOf: SIZE } }])
  })

  it('streams its file to a resolver of GraphQL Yoga', async () => {
    const { createSchema, createYoga } = await import('graphql-yoga')
    const schema = createSchema({
      typeDefs: 'scalar Upload type Query { hello: String } type Mutation { lengthOf (file: Upload!): Float }',
      resolvers: { Mutation: { lengthOf: async (parent, { file }) => lengthOf(await file) } }
    })
    const app = express()
    app.use('/graphql', require('../../../examples/graphql-upload'), createYoga({ schema, logging: false }))
    const server = require('node:http').createServer(app)
    servers.push(server)
    await listen(server)
    assert.deepEqual(await upload(server, { 0: ['variables.file'] }), [200, { data: { lengthOf: SIZE } }])
  })

  it('fails if its file is missing', async () => {
    const [status, { errors: [{ message }] }] = await upload(servers[0], { 1: ['variables.file'] })
    assert.deepEqual([status, message], [200, 'the file is missing'])
  })

  it('is a 400 if its map names what is not there', async () => {
    const [status] = await upload(servers[0], { 0: ['variables.__proto__.x'] }).catch(() => [400])
    assert.equal(status, 400)
  })
})
