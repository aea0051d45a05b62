'use strict'

// Ways of a server to take a form.

const fs = require('node:fs')
const { Readable } = require('node:stream')
const { multipart } = require('../..')
const entry = require('../../lib/types/multer')

const MOST = 2 ** 40 // bytes
const options = { limit: 2 * MOST, files: { '*': { size: MOST } } }

const run = (middleware, req, res) => new Promise((resolve, reject) => {
  middleware(req, res, (error) => error === undefined ? resolve() : reject(error))
})

/** These leave their files to the app. */
async function runAndUnlink (middleware, req, res) {
  await run(middleware, req, res)
  for (const file of req.files) fs.unlink(file.path, () => {})
}

async function discard (stream) {
  for await (const chunk of stream) if (chunk.length === 0) throw new Error('a chunk without bytes')
}

/** Each makes `(req, res) => Promise`. @type {Record<string, (folder: string) => Function>} */
const uploads = {
  'node:http alone, discarded': () => discard,
  'node:http alone, joined': () => (req) => new Promise((resolve) => {
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
      req.body = Buffer.concat(chunks)
      resolve()
    })
  }),
  'multer, to memory': () => {
    const upload = require('multer')({ storage: require('multer').memoryStorage() }).any()
    return (req, res) => run(upload, req, res)
  },
  'multer, to disk': (folder) => {
    const upload = require('multer')({ dest: folder }).any()
    return (req, res) => runAndUnlink(upload, req, res)
  },
  'fast-body-parser, to memory': () => {
    const parse = multipart(options)
    return (req, res) => run(parse, req, res)
  },
  'fast-body-parser, to disk': (folder) => {
    const parse = multipart({ ...options, store: multipart.disk(folder) })
    return (req, res) => run(parse, req, res)
  },
  'fast-body-parser, part by part': () => {
    const parser = multipart(options)
    return async (req, res) => {
      for await (const { stream } of parser.parts(req, res)) if (stream !== undefined) await discard(stream)
    }
  },
  'fast-body-parser/multer, to memory': () => {
    const upload = entry({ storage: entry.memoryStorage() }).any()
    return (req, res) => run(upload, req, res)
  },
  'fast-body-parser/multer, to disk': (folder) => {
    const upload = entry({ dest: folder }).any()
    return (req, res) => runAndUnlink(upload, req, res)
  },
  'formidable, to disk': (folder) => async (req) => {
    const { formidable } = require('formidable')
    const how = { uploadDir: folder, maxFileSize: MOST, maxTotalFileSize: MOST }
    const [, files] = await formidable(how).parse(req)
    for (const file of Object.values(files).flat()) fs.unlink(file.filepath, () => {})
  },
  'request.formData() of Node.js': () => async (req) => {
    const init = { method: 'POST', headers: req.headers, body: Readable.toWeb(req), duplex: 'half' }
    await new Request('http://localhost/', init).formData()
  }
}

exports.serve = (way, folder) => uploads[way](folder)
exports.discard = discard
