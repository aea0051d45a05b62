'use strict'

// NestJS 11 with a multer of one's choice, in this process: a route for each
// interceptor, with storage on disk and with an engine of the app.

const { once, EventEmitter } = require('node:events')
const fs = require('node:fs')
const Module = require('node:module')
const os = require('node:os')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')

const requireOfNest = Module.createRequire(require.resolve('nest-11/package.json'))
const NAME = '@nestjs/platform-express'

/** Name -> its arguments before the options. */
const INTERCEPTORS = {
  FileInterceptor: ['f'],
  FilesInterceptor: ['f', 2],
  FileFieldsInterceptor: [[{ name: 'f', maxCount: 2 }]],
  AnyFilesInterceptor: []
}

/** Loads what imports multer anew, with that one. */
function loadPlatform (multer) {
  const main = requireOfNest.resolve(NAME)
  const place = path.dirname(main)
  for (const name of Object.keys(require.cache)) if (name.startsWith(place)) delete require.cache[name]
  const load = Module._load
  Module._load = function (name, ...rest) {
    return name === 'multer' ? multer : load.call(this, name, ...rest)
  }
  try {
    return requireOfNest(NAME)
  } finally {
    Module._load = load
  }
}

/** An engine of an app: nothing listens for errors of the stream. */
const piping = (folder) => ({
  _handleFile (req, file, done) {
    const target = fs.createWriteStream(path.join(folder, file.originalname))
    file.stream.pipe(target)
      .on('error', done)
      .on('finish', () => done(null, { path: target.path, size: target.bytesWritten }))
  },
  _removeFile: (req, file, done) => fs.unlink(file.path, done)
})

/** What -> options of a route. @param {() => void} fileFilter never calls back */
const optionsOf = (folder, fileFilter) => ({
  disk: { dest: folder },
  engine: { storage: piping(folder) },
  limit: { dest: folder, limits: { fileSize: 1000 } },
  total: { dest: folder, limits: { total: 1000 } },
  silent: { dest: folder, fileFilter },
  timeout: { dest: folder, fileFilter, timeout: 50 }
})

/**
 * @param {Function} multer
 * @returns {Promise<object>} an app with routes such as /FileInterceptor-disk
 */
async function startNest (multer) {
  const platform = loadPlatform(multer)
  requireOfNest('reflect-metadata')
  const common = requireOfNest('@nestjs/common')
  const { BaseExceptionFilter, NestFactory } = requireOfNest('@nestjs/core')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nest-engines-'))

  let isAsked = false // a filter was
  class Uploads {}
  for (const [name, fields] of Object.entries(INTERCEPTORS)) {
    for (const [what, options] of Object.entries(optionsOf(folder, () => { isAsked = true }))) {
      addRoute(common, Uploads, `${name}-${what}`, platform[name](...fields, options))
    }
  }
  common.Controller()(Uploads)
  class App {}
  common.Module({ controllers: [Uploads] })(App)

  const events = new EventEmitter()
  class Filter extends BaseExceptionFilter {
    catch (exception, host) {
      events.emit('exception', exception)
      super.catch(exception, host)
    }
  }
  const app = await NestFactory.create(App, new platform.ExpressAdapter(), {
    logger: false,
    forceCloseConnections: true
  })
  app.useGlobalFilters(new Filter(app.getHttpAdapter()))
  await app.listen(0, '127.0.0.1')
  const left = () => fs.readdirSync(folder)
  const hasBegun = () => isAsked || left().length > 0
  return {
    port: app.getHttpServer().address().port,
    exception: async () => (await once(events, 'exception'))[0],
    left,
    /** Until a file is on the disk, or a filter is asked. */
    async untilBegun () {
      while (!hasBegun()) await delay(5)
    },
    clear () {
      isAsked = false
      for (const name of left()) fs.rmSync(path.join(folder, name))
    },
    async close () {
      await app.close()
      fs.rmSync(folder, { recursive: true })
    }
  }
}

function addRoute ({ HttpCode, Post, UseInterceptors }, controller, route, interceptor) {
  controller.prototype[route] = () => 'stored'
  const method = Object.getOwnPropertyDescriptor(controller.prototype, route)
  UseInterceptors(interceptor)(controller.prototype, route, method)
  HttpCode(200)(controller.prototype, route, method)
  Post(route)(controller.prototype, route, method)
}

module.exports = { INTERCEPTORS, startNest }
