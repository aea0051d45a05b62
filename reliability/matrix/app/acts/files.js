'use strict'

// What an app does with the files that `req.files` has, in memory and on disk.
// What is given is a list of them.

const fs = require('node:fs')
const { readFile } = fs.promises
const os = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const SHARED_MEMORY = '/dev/shm'
const LONGEST = 255 // bytes of a name

/** `reads` tells it as well. */
const ignore = () => {}

const deviceOf = (folder) => fs.statSync(folder, { throwIfNoEntry: false })?.dev

/** A directory on another file system than the one for temporary files; null if there is none. */
const elsewhere = [undefined, deviceOf(os.tmpdir())].includes(deviceOf(SHARED_MEMORY)) ? null : SHARED_MEMORY

/** @type {Record<string, import('./streams').Act>} */
const memory = {
  read: { reads: true, run: each((file, app) => app.reads(file.bytes, file.field)) },
  'read later': { reads: true, run: each((file, app) => app.reads(app.soon().then(() => file.bytes), file.field)) },
  'answer, read afterwards': {
    reads: true,
    run (files, app) {
      app.answer()
      for (const file of files) app.reads(app.exchange.gone.then(() => file.bytes), file.field)
    }
  },
  ...common()
}

/** @type {Record<string, import('./streams').Act>} */
const disk = {
  read: { reads: true, run: each((file, app) => app.reads(readFile(file.path), file.field)) },
  'answer, read': {
    run: each((file, app) => {
      app.answer()
      return app.reads(readFile(file.path), file.field)
    })
  },
  'answer, read afterwards': {
    run (files, app) {
      app.answer()
      for (const file of files) app.reads(app.exchange.gone.then(() => readFile(file.path)), file.field)
    }
  },
  keep: { reads: true, run: keep },
  'keep, answer at once': { run (files, app) { keep(files, app).catch(ignore) } },
  'answer, keep': {
    run (files, app) {
      app.answer()
      keep(files, app).catch(ignore)
    }
  },
  'answer, keep afterwards': {
    run (files, app) {
      app.answer()
      keeping((file, target) => app.exchange.gone.then(() => file.keep(target)))(files, app).catch(ignore)
    }
  },
  'keep twice at once': {
    reads: true,
    run: keeping(keepTwice)
  },
  'keep twice at once, in two places': {
    run: keeping((file, target) => Promise.all([file.keep(`${target}-a`), file.keep(`${target}-b`)]))
  },
  'keep, keep': {
    reads: true,
    run: keeping(async (file, target) => {
      await file.keep(`${target}-a`)
      await file.keep(target)
    })
  },
  'keep in no directory': {
    fails: true,
    run: each(async (file, app) => {
      await file.keep(path.join(app.target(file), 'none', 'file'))
    })
  },
  'keep in no directory, keep': {
    reads: true,
    run: keeping(async (file, target) => {
      await file.keep(path.join(target, 'none', 'file')).catch(() => {})
      await file.keep(target)
    })
  },
  'keep over a file': {
    reads: true,
    run: keeping(async (file, target) => {
      await fs.promises.writeFile(target, 'before')
      await file.keep(target)
    })
  },
  'keep, remove': {
    run: each(async (file, app) => {
      const target = app.target(file)
      await file.keep(target)
      await fs.promises.unlink(target)
    })
  },
  'keep by URL': { reads: true, run: keeping((file, target) => file.keep(pathToFileURL(target))) },
  ...elsewhere === null ? {} : onAnotherFileSystem(),
  ...common()
}

function keepTwice (file, target) {
  return Promise.all([file.keep(target), file.keep(target)])
}

function onAnotherFileSystem () {
  const keepElsewhere = (keep) => ({
    reads: true,
    run: keeping(async (file, target, app) => { await keep(file, app.elsewhere(file)) })
  })
  const longest = (target) => target.padEnd(path.dirname(target).length + 1 + LONGEST, 'x')
  return {
    'keep elsewhere': keepElsewhere((file, target) => file.keep(target)),
    'keep elsewhere by URL': keepElsewhere((file, target) => file.keep(pathToFileURL(target))),
    'keep elsewhere twice at once': keepElsewhere(keepTwice),
    'keep elsewhere by a long name': keepElsewhere((file, target) => file.keep(longest(target)))
  }
}

/** What an app does with either. */
function common () {
  return {
    nothing: { run () {} },
    throw: {
      fails: true,
      run (files, app) { throw app.error }
    },
    'never settle': {
      hangs: true,
      run () { return new Promise(() => {}) }
    }
  }
}

function each (act) {
  return (files, app) => Promise.all(files.map((file) => act(file, app)))
}

/** Reads each file where it is once it is kept. */
function keeping (keep) {
  return each((file, app) => app.reads(keep(file, app.target(file), app).then(() => readFile(file.path)), file.field))
}

function keep (files, app) {
  return keeping((file, target) => file.keep(target))(files, app)
}

module.exports = { disk, elsewhere, memory }
