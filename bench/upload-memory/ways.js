'use strict'

// Ways to take a form with one large file, for upload-memory.js: each reads the form to its end.

const fs = require('node:fs')
const { Readable } = require('node:stream')
const { multipart } = require('../..')

const MOST = 2 ** 40 // bytes
const OPTIONS = { limit: 2 * MOST, files: { '*': { size: MOST } } }

async function discard (stream) {
  for await (const chunk of stream) if (chunk.length === 0) throw new Error('a chunk without bytes')
}

const run = (middleware, req, res) => new Promise((resolve, reject) => {
  middleware(req, res, (error) => error === undefined ? resolve() : reject(error))
})

/** @type {Record<string, (req: object, res: object, folder: string) => Promise<void>>} by their name in the picture */
module.exports = {
  async 'node:http alone, discarded' (req) {
    await discard(req)
  },

  async 'fast-body-parser, part by part' (req, res) {
    const { parts } = multipart(OPTIONS)
    for await (const part of parts(req, res)) {
      if (part.stream !== undefined) await discard(part.stream)
    }
  },

  async 'fast-body-parser, to disk' (req, res, folder) {
    const store = multipart.disk(folder)
    await run(multipart({ ...OPTIONS, store }), req, res)
  },

  async 'multer, to disk' (req, res, folder) {
    await run(require('multer')({ dest: folder }).any(), req, res)
    for (const file of req.files) fs.unlinkSync(file.path)
  },

  async 'formidable, to disk' (req, res, folder) {
    const { formidable } = require('formidable')
    const [, files] = await formidable({ uploadDir: folder, maxFileSize: MOST, maxTotalFileSize: MOST }).parse(req)
    for (const file of Object.values(files).flat()) fs.unlinkSync(file.filepath)
  },

  async 'multer, to memory' (req, res) {
    await run(require('multer')({ storage: require('multer').memoryStorage() }).any(), req, res)
  },

  async 'request.formData() of Node.js' (req) {
    const init = { method: 'POST', headers: req.headers, body: Readable.toWeb(req), duplex: 'half' }
    await new Request('http://localhost/', init).formData()
  }
}
