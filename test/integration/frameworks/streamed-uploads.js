'use strict'

// examples/nest-stream.js and examples/graphql-upload.js: files that a handler of a framework streams.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const Module = require('node:module')
const path = require('node:path')
const express = require('express')

const MEGABYTE = 2 ** 20
const SIZE = 64 * MEGABYTE
const chunk = Buffer.alloc(MEGABYTE)

/** Sends a form of fields and of one file without keeping it in memory. */
async function post (url, fields, name) {
  const head = Object.entries(fields).map(([name, value]) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')
  let left = SIZE
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(
      Buffer.from(`${head}--b\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\n`)),
    pull (controller) {
      if (left > 0) controller.enqueue(new Uint8Array(chunk))
      else controller.enqueue(Buffer.from('\r\n--b--\r\n'))
      if (left === 0) controller.close()
      left -= MEGABYTE
    }
  })
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'x-apollo-operation-name': 'upload' }
  const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half' })
  return [response.status, await response.json()]
}

async function lengthOf (file) {
  let length = 0
  for await (const chunk of file) length += chunk.length
  return length
}

describe('an interceptor of NestJS that streams files', () => {
  let app
  let url

  before(async () => {
    await import('reflect-metadata')
    const { Controller, Module, Post, Req, UseInterceptors } = await import('@nestjs/common')
    const { NestFactory } = await import('@nestjs/core')
    const StreamedFiles = require('../../../examples/nest-stream')

    class Videos {
      async upload (req) {
        const lengths = {}
        for await (const file of req.files) lengths[file.field] = await lengthOf(file)
        return { fields: req.body, lengths }
      }
    }
    const descriptor = Object.getOwnPropertyDescriptor(Videos.prototype, 'upload')
    const options = { fields: { max: 1 }, files: { video: { size: '5gb' } } }
    Post('videos')(Videos.prototype, 'upload', descriptor)
    UseInterceptors(StreamedFiles(options))(Videos.prototype, 'upload', descriptor)
    Req()(Videos.prototype, 'upload', 0)
    Controller()(Videos)
    class App {}
    Module({ controllers: [Videos] })(App)
    app = await NestFactory.create(App, { logger: false, forceCloseConnections: true, bodyParser: false })
    await app.listen(0, '127.0.0.1')
    url = `http://127.0.0.1:${app.getHttpServer().address().port}/videos`
  })
  after(() => app.close())

  it('gives a controller the fields, and the files in a loop', async () => {
    assert.deepEqual(await post(url, { title: 'me' }, 'video'),
      [201, { fields: { title: 'me' }, lengths: { video: SIZE } }])
  })

  it('answers what is wrong before the first file by its status', async () => {
    const [status] = await post(url, { title: 'me', other: '1' }, 'video').catch(() => [413])
    assert.equal(status, 413)
  })
})

describe('a GraphQL multipart request', () => {
  let server
  let url

  before(async () => {
    // The example finds the packages that the integration tests install.
    Object.assign(process.env, { NODE_PATH: path.join(__dirname, '../node_modules'), PORT: '0' })
    Module._initPaths()
    server = await require('../../../examples/graphql-upload').start()
    delete process.env.NODE_PATH
    delete process.env.PORT
    Module._initPaths()
    if (!server.listening) await once(server, 'listening')
    url = `http://127.0.0.1:${server.address().port}/graphql`
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  const query = 'mutation ($file: Upload!) { lengthOf(file: $file) }'
  const operations = JSON.stringify({ query, variables: { file: null } })

  it('streams its file to a resolver of Apollo Server', async () => {
    assert.deepEqual(await post(url, { operations, map: '{"0":["variables.file"]}' }, '0'),
      [200, { data: { lengthOf: SIZE } }])
  })

  it('streams its file to a resolver of GraphQL Yoga', async () => {
    const { createSchema, createYoga } = await import('graphql-yoga')
    const schema = createSchema({
      typeDefs: 'scalar Upload type Query { hello: String } type Mutation { lengthOf (file: Upload!): Float }',
      resolvers: { Mutation: { lengthOf: async (parent, { file }) => lengthOf(await file) } }
    })
    const app = express()
    app.use('/graphql', require('../../../examples/graphql-upload'), createYoga({ schema, logging: false }))
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${server.address().port}/graphql`
    assert.deepEqual(await post(url, { operations, map: '{"0":["variables.file"]}' }, '0'),
      [200, { data: { lengthOf: SIZE } }])
    server.close()
    server.closeAllConnections()
  })

  it('fails if its file is missing', async () => {
    const [status, { errors: [{ message }] }] =
      await post(url, { operations, map: '{"1":["variables.file"]}' }, '0')
    assert.deepEqual([status, message], [200, 'the file is missing'])
  })

  it('is a 400 if its map names what is not there', async () => {
    const [status] = await post(url, { operations, map: '{"0":["variables.__proto__.x"]}' }, '0')
      .catch(() => [400])
    assert.equal(status, 400)
  })
})
