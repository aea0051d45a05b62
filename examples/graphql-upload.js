'use strict'

// GraphQL multipart requests (the spec that graphql-upload follows), for Apollo Server, as below, or GraphQL Yoga:
// `operations` and `map` are fields, and come before the files. Each variable of the scalar Upload is a promise of a
// stream, which the resolver reads as it comes: nothing of a file is in memory or on disk. Files are read in the order
// in which they are sent.

const { once } = require('node:events')
const { finished } = require('node:stream/promises')
const bodyParser = require('fast-body-parser')

const parseForm = bodyParser.multipart({
  fields: { max: 2, size: '1mb' },
  files: { '*': { max: 10, size: '5gb' } },
  store: 'stream'
})

/** Puts the operation into `req.body`, as `json()` does, for what executes GraphQL. */
function takeUploads (req, res, next) {
  const { map, operations } = req.body ?? {}
  if (typeof operations !== 'string' || typeof map !== 'string') return next()
  try {
    req.body = JSON.parse(operations)
    const uploads = new Map(Object.entries(JSON.parse(map)).map(([field, paths]) => [field, putUpload(req.body, paths)]))
    giveFiles(req.files, uploads, once(res, 'close'))
  } catch (error) {
    return next(Object.assign(error, { status: 400 }))
  }
  next()
}

/** Puts a promise of the file to where `map` says, such as `variables.file`. */
function putUpload (operations, paths) {
  const upload = {}
  upload.promise = new Promise((resolve, reject) => Object.assign(upload, { resolve, reject }))
  upload.promise.catch(() => {}) // a resolver may never ask for it
  for (const path of paths) {
    const keys = path.split('.')
    const last = keys.pop()
    const target = keys.reduce((value, key) => Object.hasOwn(value, key) ? value[key] : undefined, operations)
    if (!Object.hasOwn(target ?? {}, last)) throw new Error(`map names ${path}, which operations lacks`)
    target[last] = upload.promise
  }
  return upload
}

async function giveFiles (files, uploads, answered) {
  let reason = new Error('the file is missing')
  try {
    for await (const file of files) {
      const isRead = finished(file).catch(() => {})
      uploads.get(file.field)?.resolve(file)
      await Promise.race([uploads.has(file.field) ? isRead : undefined, answered])
    }
  } catch (error) {
    reason = error
  }
  for (const { reject } of uploads.values()) reject(reason)
}

module.exports = [parseForm, takeUploads]

async function start () {
  const { ApolloServer } = require('@apollo/server')
  const { expressMiddleware } = require('@as-integrations/express5')
  const { GraphQLScalarType } = require('graphql')
  const Upload = new GraphQLScalarType({ name: 'Upload', parseValue: (promise) => promise })
  const typeDefs = 'scalar Upload type Query { hello: String } type Mutation { lengthOf (file: Upload!): Float }'
  const lengthOf = async (parent, { file }) => {
    let length = 0
    for await (const chunk of await file) length += chunk.length
    return length
  }
  // Requests of other sites are preflighted only with a header of this kind, so `csrfPrevention` asks for one.
  const server = new ApolloServer({ typeDefs, resolvers: { Upload, Mutation: { lengthOf } }, csrfPrevention: true })
  await server.start()
  const app = require('express')()
  app.use('/graphql', bodyParser.json(), module.exports, expressMiddleware(server))
  return app.listen(process.env.PORT ?? 3000)
}

module.exports.start = start
if (require.main === module) start()
