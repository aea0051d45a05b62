'use strict'

// What an app does with the files that `req.files` has, in memory and on disk.
// What is given is a list of them.

const fs = require('node:fs')
const { readFile } = fs.promises
const os = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const mapValues = require('../../../../tools/map-values')

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
const keepByUrl = (file, target) => file.keep(pathToFileURL(target))
const keepTwice = (file, target) => Promise.all([file.keep(target), file.keep(target)])

const ordinary = keeping(keep)

/** The app answers at once; `run` goes on alone. */
const answering = (run) => (files, app) => {
  app.answer()
  run(files, app).catch(() => {}) // `reads` tells it as well
}

/** What an app does with either. */
const common = {
  nothing () {},
  throw: { fails: true, run: (files, app) => app.throw() },
  'never settle': { hangs: true, run: () => new Promise(() => {}) }
}

/** @type {typeof import('./streams')} */
const memory = {
  read: { reads: true, run: eachRead((file) => file.bytes) },
  'read later': { reads: true, run: eachRead((file, app) => app.soon().then(() => file.bytes)) },
  'answer, read afterwards': {
    reads: true,
    run: answering(eachRead((file, app) => app.exchange.gone.then(() => file.bytes)))
  },
  ...common
}

const onAnotherFileSystem = {
  'keep elsewhere': keep,
  'keep elsewhere by URL': keepByUrl,
  'keep elsewhere twice at once': keepTwice,
  'keep elsewhere by a long name': (file, target) => {
    return file.keep(target.padEnd(path.dirname(target).length + 1 + LONGEST, 'x'))
  }
}

/** How the app keeps each file, before it reads it where it is then. */
const keepers = {
  keep,
  'keep twice at once': keepTwice,
  'keep by URL': keepByUrl,
  async 'keep, keep' (file, target) {
    await file.keep(`${target}-a`)
    await file.keep(target)
  },
  async 'keep in no directory, keep' (file, target) {
    await file.keep(path.join(target, 'none', 'file')).catch(() => {})
    await file.keep(target)
  },
  async 'keep over a file' (file, target) {
    await fs.promises.writeFile(target, 'before')
    await file.keep(target)
  },
  ...elsewhere !== null && mapValues(onAnotherFileSystem, (keep) => (file, target, app) => {
    return keep(file, app.target(file, 'elsewhere'))
  })
}

/** @type {typeof import('./streams')} */
const disk = {
  read: { reads: true, run: eachRead((file) => readFile(file.path)) },
  ...mapValues(keepers, (keep) => ({ reads: true, run: keeping(keep) })),
  'answer, read': each((file, app) => {
    app.answer()
    return app.reads(readFile(file.path), file.field)
  }),
  'answer, read afterwards': answering(eachRead((file, app) => app.exchange.gone.then(() => readFile(file.path)))),
  'keep, answer at once' (files, app) { ordinary(files, app).catch(() => {}) },
  'answer, keep': answering(ordinary),
  'answer, keep afterwards': answering(keeping((file, target, app) => app.exchange.gone.then(() => file.keep(target)))),
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

module.exports = { disk, elsewhere, memory }
