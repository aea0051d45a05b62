'use strict'

// Whole stacks that take uploads, for tools/server-process.js.

const fs = require('node:fs')
const http = require('node:http')
const { multipart } = require('../..')
const entry = require('../../lib/types/multer')

const LIMIT = 64 * 2 ** 20 // bytes

/** Each is given a folder. */
const stacks = {
  discard: () => (req, res, next) => req.on('data', () => {}).on('end', next),
  join: () => (req, res, next) => {
    req.toArray().then((chunks) => next(Buffer.concat(chunks).length > 0 ? undefined : 'empty'))
  },
  'multer, memory': () => require('multer')({ storage: require('multer').memoryStorage() }).any(),
  'ours, memory': () => multipart({ limit: LIMIT }),
  'multer, disk': (folder) => require('multer')({ dest: folder }).any(),
  'ours, disk': (folder) => multipart({ limit: LIMIT, store: multipart.disk(folder) }),
  'entry, memory': () => entry({ storage: entry.memoryStorage() }).any(),
  'entry, disk': (folder) => entry({ dest: folder }).any()
}

/** multer leaves its files to the app. */
const leavesFiles = (stack) => stack.startsWith('multer') || stack.startsWith('entry')

function createServer ({ stack, folder }) {
  return http.createServer(require('express')().post('/', stacks[stack](folder), (req, res) => {
    for (const file of leavesFiles(stack) ? req.files : []) if (file.path) fs.unlink(file.path, () => {})
    res.end()
  }))
}

module.exports = { createServer, stacks }
