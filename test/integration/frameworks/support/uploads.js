'use strict'

// A NestJS app with a route for each interceptor of uploads. Its decorators are
// called by hand, as this is no TypeScript.

const { once, EventEmitter } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { sideOf } = require('./serve')

/**
 * @param {NodeJS.Require} require where to find Nest and multer
 * @param {string} folder for files
 */
async function startUploads (require, folder) {
  const load = (name) => import(pathToFileURL(require.resolve(name)))
  await load('reflect-metadata')
  const common = await load('@nestjs/common')
  const platform = await load('@nestjs/platform-express')
  const { NestFactory } = await load('@nestjs/core')
  const multer = require('module').createRequire(require.resolve('@nestjs/platform-express'))('multer')
  const stored = storageOf(multer, folder)

  class Uploads {}
  for (const [route, [interceptor, ...pipes]] of Object.entries(routesOf(common, platform, stored.storage, folder))) {
    addRoute(common, Uploads, route, interceptor, pipes)
  }
  common.Controller()(Uploads)
  class App {}
  const imports = [platform.MulterModule.register({ limits: { fileSize: 20 } })]
  common.Module({ controllers: [Uploads], imports })(App)

  const app = await NestFactory.create(App, { logger: false, forceCloseConnections: true })
  await app.listen(0, '127.0.0.1')
  return { ...sideOf(app.getHttpServer(), () => app.close()), multer, removed: stored.removed }
}

/** A storage on disk that tells when it has removed a file. */
function storageOf (multer, folder) {
  const events = new EventEmitter()
  const storage = multer.diskStorage({
    destination: folder,
    filename: (req, file, callback) => callback(null, `stored-${file.originalname}`)
  })
  const remove = storage._removeFile
  storage._removeFile = (req, file, callback) => {
    const { filename } = file // which multer deletes
    remove.call(storage, req, file, (error) => {
      events.emit('removed', filename)
      callback(error)
    })
  }
  return { storage, removed: () => once(events, 'removed') }
}

/** Route -> its interceptor, and pipes for `@UploadedFile()`. */
function routesOf (common, platform, storage, folder) {
  const { AnyFilesInterceptor, FileFieldsInterceptor, FileInterceptor, FilesInterceptor, NoFilesInterceptor } = platform
  const fields = [{ name: 'avatar', maxCount: 1 }, { name: 'photos', maxCount: 2 }]
  const filter = (decide) => ({ fileFilter: (req, file, callback) => decide(callback, file) })
  const size = new common.MaxFileSizeValidator({ maxSize: 5 })
  return {
    single: [FileInterceptor('avatar')],
    array: [FilesInterceptor('photos', 2)],
    fields: [FileFieldsInterceptor(fields)],
    any: [AnyFilesInterceptor()],
    none: [NoFilesInterceptor()],
    limits: [
      AnyFilesInterceptor({ limits: { fieldNameSize: 20, fieldSize: 10, fields: 3, fileSize: 10, files: 2, parts: 4 } })
    ],
    names: [AnyFilesInterceptor({ limits: { fieldNestingDepth: 2, fieldArrayIndexLimit: 3 } })],
    ofRequest: [FileInterceptor('avatar', { limits: (req) => ({ fileSize: Number(req.headers['x-size']) }) })],
    utf8: [FileInterceptor('avatar', { defParamCharset: 'utf8' })],
    dest: [FilesInterceptor('photos', 3, { dest: folder })],
    storage: [FileFieldsInterceptor(fields, { storage })],
    skips: [AnyFilesInterceptor(filter((callback, file) => callback(null, file.mimetype === 'text/plain')))],
    refuses: [
      FileInterceptor('avatar', filter((callback) => callback(new common.ForbiddenException('no files today'), false)))
    ],
    fails: [FileInterceptor('avatar', filter((callback) => callback(new Error('a filter'))))],
    throws: [FileInterceptor('avatar', filter(() => { throw new common.ConflictException('thrown') }))],
    rejects: [FileInterceptor('avatar', filter(async () => { throw new common.GoneException('rejected') }))],
    pipe: [FileInterceptor('avatar', { storage }), new common.ParseFilePipe({ validators: [size] })]
  }
}

function addRoute ({ HttpCode, Post, Req, UploadedFile, UseInterceptors }, controller, route, interceptor, pipes) {
  controller.prototype[route] = (req) => seen(req)
  const method = Object.getOwnPropertyDescriptor(controller.prototype, route)
  Req()(controller.prototype, route, 0)
  UploadedFile(...pipes)(controller.prototype, route, 1)
  UseInterceptors(interceptor)(controller.prototype, route, method)
  HttpCode(200)(controller.prototype, route, method)
  Post(route)(controller.prototype, route, method)
}

/** What a handler finds on the request. */
function seen ({ body, file, files }) {
  const isPlain = body === undefined || Object.getPrototypeOf(body) !== null
  return { body, isPlain, file: describe(file), files: describe(files) }
}

/** Files with their content, and without what differs from run to run. */
function describe (value) {
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(describe)
  if (!('fieldname' in value)) {
    return Object.fromEntries(Object.entries(value).map(([name, files]) => [name, describe(files)]))
  }
  const { buffer, destination, filename, path: place, ...others } = value
  if (place === undefined) return { ...others, buffer: buffer.toString('latin1') }
  const content = fs.readFileSync(place, 'latin1')
  const isThere = place === path.join(destination, filename)
  return { ...others, content, isThere, filename: filename.replace(/^[0-9a-f]{32}$/, 'random') }
}

module.exports = startUploads
