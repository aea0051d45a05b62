'use strict'

// Whole stacks that take uploads, for tools/lab/server.js.

const { randomUUID } = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const { pipeline } = require('node:stream')
const { multipart } = require('../..')
const entry = require('../../lib/types/multer')

const LIMIT = 64 * 2 ** 20 // bytes

/** Each is given a folder. */
const stacks = {
  discard: () => (req, res, next) => req.on('data', () => {}).on('end', next),
  join: () => (req, res, next) => {
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
      req.body = Buffer.concat(chunks)
      next()
    })
  },
  write: (folder) => (req, res, next) => {
    const file = path.join(folder, randomUUID())
    req.files = [{ path: file }]
    pipeline(req, fs.createWriteStream(file), next)
  },
  'multer, memory': () => require('multer')({ storage: require('multer').memoryStorage() }).any(),
  'ours, memory': () => multipart({ limit: LIMIT }),
  'multer, disk': (folder) => require('multer')({ dest: folder }).any(),
  'multer 3, disk': () => {
    const loaded = import('multer-3').then(({ default: multer }) => multer().any())
    return (req, res, next) => loaded.then((upload) => upload(req, res, next), next)
  },
  'ours, disk': (folder) => multipart({ limit: LIMIT, store: multipart.disk(folder) }),
  'entry, memory': () => entry({ storage: entry.memoryStorage() }).any(),
  'entry, disk': (folder) => entry({ dest: folder }).any()
}

/** All but ours leave their files to the app; those of multer 3 have no names any more. */
const leavesFiles = (stack) => /^(multer,|entry|write)/.test(stack)

function createServer ({ stack, folder }) {
  return http.createServer(require('express')().post('/', stacks[stack](folder), (req, res) => {
    for (const file of leavesFiles(stack) ? req.files : []) if (file.path) fs.unlink(file.path, () => {})
    res.end()
  }))
}

module.exports = { createServer, stacks }
