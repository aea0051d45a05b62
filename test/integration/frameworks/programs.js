'use strict'

// The programs of docs/frameworks.md, docs/troubleshooting.md and programs.md: each is asked what its last lines say.

const assert = require('node:assert/strict')
const ts = require('typescript')
const LocalServer = require('../../../tools/local-server')
const { read } = require('../../support/pages')
const { NEXT, ask, createProject, programsOf, requireCurl, serve } = require('../support/program')
const { remove, write } = require('../support/project')

const APP_MODULE = `
import { Body, Controller, Module, Post } from '@nestjs/common'
@Controller()
class Bodies {
  @Post()
  create (@Body() body: object) { return body }
}
@Module({ controllers: [Bodies] })
export class AppModule {}`

const PAGES = ['docs/frameworks.md', 'test/integration/frameworks/programs.md', 'docs/troubleshooting.md']
const programs = PAGES.flatMap((name) => programsOf(read(name)))
const [routes, apps] = [true, false].map((isNext) => programs.filter(({ title }) => (title === 'Next.js') === isNext))

function toJavaScript (code) {
  const decorators = { experimentalDecorators: true, emitDecoratorMetadata: true }
  return ts.transpileModule(code, { compilerOptions: { module: 'esnext', target: 'es2022', ...decorators } }).outputText
}

describe('programs of pages', () => {
  let folder
  let upstream // of a proxy

  before(requireCurl)

  before(async function () {
    this.timeout(60_000) // ms; npm packs
    upstream = await LocalServer.open((req, res) => req.pipe(res))
    folder = await createProject()
    write(folder, { 'app.module.js': toJavaScript(APP_MODULE), 'package.json': { type: 'module' } })
  })

  after(() => {
    upstream?.close()
    remove(folder)
  })

  it('are all asked', () => {
    for (const { title, requests } of programs) assert.ok(requests.length > 0, title)
  })

  for (const { title, language, code, requests } of apps) {
    it(`run: ${title}, ${requests[0]?.[0]}`, () => {
      const program = code.replace('localhost:4000', `127.0.0.1:${upstream.port}`)
      return serve(folder, language === 'ts' ? toJavaScript(program) : program, (url) => ask(url, requests))
    })
  }

  it('run under Next.js', async function () {
    this.timeout(60_000) // ms; Next.js compiles
    const files = routes.map(({ code }) => [/^\/\/ (.*)/.exec(code)[1], code])
    write(folder, { ...Object.fromEntries(files), 'next.config.js': 'export default { turbopack: { root: "/" } }' })
    await serve(folder, NEXT, async (url) => {
      for (const { requests } of routes) await ask(url, requests)
    })
  })
})
