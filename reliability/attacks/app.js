'use strict'

// A server with one parser, for tools/lab/server.js. The field `x-outcome`
// of a response is what the parser made of the request. Requests to /background
// have a JSON parser of their own.

const { randomUUID } = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const chain = require('../../tools/chain')
const { peakRss } = require('../../tools/lab/meter')
const openDescriptors = require('../../tools/open-descriptors')

/** @type {Record<string, () => object>} name -> loads the parsers */
const targets = {
  'fast-body-parser': () => withAll(require('../..')),
  'body-parser': () => withAll(require('body-parser')),
  'fast-body-parser, items': () => loops(require('../..')),
  'body-parser, whole' () {
    const { json } = require('body-parser')
    return { json, items: json, batches: json }
  },
  'fast-body-parser/multer': () => uploads(require('../../lib/types/multer'), require('../..')),
  multer: () => uploads(require('multer'), require('body-parser'))
}

/** The four parsers, one behind the other. */
const withAll = (parsers) => ({
  ...parsers,
  all: (options) => chain(['json', 'urlencoded', 'text', 'raw'].map((name) => parsers[name](options)))
})

let folder = null // of uploaded files

/** Name -> makes an engine that stores files in the folder. */
const engines = {
  diskStorage: (multer) => multer.diskStorage({ destination: folder }),
  memoryStorage: (multer) => multer.memoryStorage(),
  piping: () => ({ // as multer's README has it: nothing listens for errors of the stream
    _handleFile (req, file, done) {
      const target = fs.createWriteStream(path.join(folder, randomUUID()))
      file.stream.pipe(target)
      target.on('error', done).on('finish', () => done(null, { path: target.path, size: target.bytesWritten }))
    },
    _removeFile: (req, file, done) => fs.unlink(file.path, done)
  })
}

function uploads (multer, { json }) {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'uploads-')))
  return { json, upload: ({ engine }) => multer({ storage: engines[engine](multer) }).any() }
}

/** jsonArray with an app that reads the items, one by one or in lists. */
function loops ({ json, jsonArray }) {
  const readAll = (loopOf) => (options) => {
    const parse = jsonArray(options)
    return (req, res, next) => parse(req, res, async (error) => {
      try {
        if (error) throw error
        for await (const item of loopOf(req.body)) void item
        next()
      } catch (error) {
        next(error)
      }
    })
  }
  return { json, items: readAll((body) => body), batches: readAll((body) => body.batches(500)) }
}

const seen = { requests: 0, pending: 0, mostUsed: 0 }
let budget

/** `bounds` are options of createBudget, `how` those of http.createServer. */
exports.createServer = function createServer ({ target, parser, options, budget: bounds, server: how = {} }) {
  const parsers = targets[target]()
  budget = bounds && parsers.createBudget(bounds)
  const parse = parsers[parser]({ ...options, ...budget && { budget } })
  const background = parsers.json?.()
  const look = () => { seen.mostUsed = Math.max(seen.mostUsed, budget?.used ?? 0) }
  const server = http.createServer(how, (req, res) => {
    if (req.url === '/background') return background(req, res, (error) => res.end(error ? error.type : 'ok'))
    seen.requests++
    seen.pending++
    look()
    parse(req, res, (error) => {
      look()
      seen.pending--
      const status = error ? error.status ?? 500 : 200
      res.writeHead(status,
        { 'x-outcome': error ? `${status} ${error.type ?? error.code}` : '200', 'content-length': 0 })
      res.end()
    })
  })
  if (how.requestTimeout === undefined) server.requestTimeout = 0
  return server
}

exports.commands = {
  sample () {
    const { arrayBuffers: buffers, heapUsed: heap } = process.memoryUsage()
    return { ...seen, ...filesLeft(), peak: peakRss(), buffers, heap, used: budget?.used ?? null }
  }
}

function filesLeft () {
  if (folder === null) return {}
  const descriptors = openDescriptors().filter((target) => target.startsWith(folder)).length
  return { folder, files: fs.readdirSync(folder).length, descriptors }
}
