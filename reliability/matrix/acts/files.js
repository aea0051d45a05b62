'use strict'

// What an app does with the files that `req.files` has, in memory and on disk.
// What is given is a list of them.

const { readFile } = require('node:fs').promises
const path = require('node:path')
const { answering, fails, hangs } = require('./act')

/** @param {(file: object, app: import('../app')) => unknown} act with each file */
const each = (act) => (files, app) => Promise.all(files.map((file) => act(file, app)))

/** Reads each file. */
const eachRead = (read) => each((file, app) => app.reads(read(file, app), file.field))

/** Keeps each file, and reads it where it is then. */
const keeping = (keep) => eachRead((file, app) => keep(file, app.target(file), app).then(() => readFile(file.path)))

/** Goes on alone, whatever becomes of it: `reads` tells it as well. */
const alone = (run) => (files, app) => { run(files, app).catch(() => {}) }

/** What an app does with either. */
const common = { nothing () {}, throw: fails, 'never settle': hangs }

/** @type {Record<string, import('./act').Act | import('./act').Act['run']>} */
const memory = {
  read: { reads: true, run: eachRead((file) => file.bytes) },
  'answer, read afterwards': {
    reads: true,
    run: answering(alone(eachRead((file, app) => app.exchange.gone.then(() => file.bytes))))
  },
  ...common
}

const webMemory = {
  ...memory,
  toFile: { reads: true, run: eachRead((file) => file.toFile().arrayBuffer()) }
}

/** @type {Record<string, import('./act').Act | import('./act').Act['run']>} */
const disk = {
  read: { reads: true, run: eachRead((file) => readFile(file.path)) },
  'keep twice at once': {
    reads: true,
    run: keeping((file, target) => Promise.all([file.keep(target), file.keep(target)]))
  },
  'keep twice at once, in two places':
    keeping((file, target) => Promise.all([file.keep(`${target}-a`), file.keep(`${target}-b`)])),
  'answer, keep afterwards':
    answering(alone(keeping((file, target, app) => app.exchange.gone.then(() => file.keep(target))))),
  'keep in no directory': {
    fails: true,
    run: each((file, app) => file.keep(path.join(app.target(file), 'none', 'file')))
  },
  ...common
}

module.exports = { disk, memory, webMemory }
