'use strict'

// What an app does with the files that `req.files` has, in memory and on disk.
// What is given is a list of them.

const fs = require('node:fs')
const { readFile } = fs.promises
const os = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const mapValues = require('../../../tools/map-values')
const { answering, never } = require('./act')

const SHARED_MEMORY = '/dev/shm'
const LONGEST = 255 // bytes of a name

const deviceOf = (folder) => fs.statSync(folder, { throwIfNoEntry: false })?.dev

/** A directory on another file system than the one for temporary files; null if there is none. */
const elsewhere = [undefined, deviceOf(os.tmpdir())].includes(deviceOf(SHARED_MEMORY)) ? null : SHARED_MEMORY

/** @param {(file: object, app: import('../app')) => unknown} act with each file */
const each = (act) => (files, app) => Promise.all(files.map((file) => act(file, app)))

/** Reads each file. */
const eachRead = (read) => each((file, app) => app.reads(read(file, app), file.field))

/** Keeps each file, and reads it where it is then. */
const keeping = (keep) => eachRead((file, app) => keep(file, app.target(file), app).then(() => readFile(file.path)))

const keep = (file, target) => file.keep(target)
const keepTwice = (file, target) => Promise.all([file.keep(target), file.keep(target)])

/** Goes on alone, whatever becomes of it: `reads` tells it as well. */
const alone = (run) => (files, app) => { run(files, app).catch(() => {}) }

/** What an app does with either. */
const common = {
  nothing () {},
  throw: { fails: true, run: (files, app) => app.throw() },
  'never settle': { hangs: true, run: never }
}

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

const onAnotherFileSystem = {
  'keep elsewhere': keep,
  'keep elsewhere twice at once': keepTwice,
  'keep elsewhere by a long name': (file, target) =>
    file.keep(target.padEnd(path.dirname(target).length + 1 + LONGEST, 'x'))
}

/** How the app keeps each file, before it reads it where it is then. */
const keepers = {
  'keep twice at once': keepTwice,
  'keep by URL': (file, target) => file.keep(pathToFileURL(target)),
  async 'keep in no directory, keep, keep over a file' (file, target) {
    await file.keep(path.join(target, 'none', 'file')).catch(() => {})
    await file.keep(`${target}-a`)
    await fs.promises.writeFile(target, 'before')
    await file.keep(target)
  },
  ...elsewhere !== null && mapValues(onAnotherFileSystem, (keep) => (file, target, app) => {
    return keep(file, app.target(file, 'elsewhere'))
  })
}

/** @type {Record<string, import('./act').Act | import('./act').Act['run']>} */
const disk = {
  read: { reads: true, run: eachRead((file) => readFile(file.path)) },
  ...mapValues(keepers, (keep) => ({ reads: true, run: keeping(keep) })),
  'answer, read': answering(eachRead((file) => readFile(file.path))),
  'answer, keep': answering(alone(keeping(keep))),
  'answer, keep afterwards':
    answering(alone(keeping((file, target, app) => app.exchange.gone.then(() => file.keep(target))))),
  'keep twice at once, in two places':
    keeping((file, target) => Promise.all([file.keep(`${target}-a`), file.keep(`${target}-b`)])),
  'keep in no directory': {
    fails: true,
    run: each((file, app) => file.keep(path.join(app.target(file), 'none', 'file')))
  },
  'keep, remove': each(async (file, app) => {
    const target = app.target(file)
    await file.keep(target)
    await fs.promises.unlink(target)
  }),
  ...common
}

module.exports = { disk, elsewhere, memory, webMemory }
