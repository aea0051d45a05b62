'use strict'

const { pathToFileURL } = require('node:url')
const { sideOf } = require('./alike')

/**
 * Starts a NestJS app. Its decorators are called by hand, as this is no TypeScript.
 *
 * @param {NodeJS.Require} require where to find Nest
 * @param {(load: (name: string) => Promise<object>) => Promise<object>} routesOf gives `routes`: path -> what handles a
 *   request, its interceptor, and pipes for its file; and the `imports` of the module
 * @param {object} [options] of NestFactory
 * @param {(app: object) => void} [prepare]
 * @returns {Promise<import('./alike').Side>}
 */
module.exports = async function startNest (require, routesOf, options, prepare = () => {}) {
  const load = (name) => import(pathToFileURL(require.resolve(name)))
  await load('reflect-metadata')
  const { All, Controller, HttpCode, Module, Req, UploadedFile, UseInterceptors } = await load('@nestjs/common')
  const { NestFactory } = await load('@nestjs/core')
  const { routes, imports } = await routesOf(load)

  class Routes {}
  const { prototype } = Routes
  for (const [path, [handle, interceptor, ...pipes]] of Object.entries(routes)) {
    prototype[path] = (req) => handle(req)
    const method = Object.getOwnPropertyDescriptor(prototype, path)
    Req()(prototype, path, 0)
    if (pipes.length > 0) UploadedFile(...pipes)(prototype, path, 1)
    if (interceptor !== undefined) UseInterceptors(interceptor)(prototype, path, method)
    HttpCode(200)(prototype, path, method)
    All(path)(prototype, path, method)
  }
  Controller()(Routes)
  class App {}
  Module({ controllers: [Routes], imports })(App)

  const app = await NestFactory.create(App, { logger: false, forceCloseConnections: true, ...options })
  prepare(app)
  await app.listen(0, '127.0.0.1')
  return sideOf(app.getHttpServer(), () => app.close())
}
