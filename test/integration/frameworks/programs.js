'use strict'

// The programs of docs/frameworks.md and programs.md: each is asked what its last lines say.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const ts = require('typescript')
const { NEXT, ask, createProject, programsOf, requireCurl, serve } = require('../support/program')
const { ROOT, remove, write } = require('../support/project')

const page = fs.readFileSync(path.join(ROOT, 'docs/frameworks.md'), 'utf8')
const APP_MODULE = `
import { Body, Controller, Module, Post } from '@nestjs/common'
@Controller()
class Bodies {
  @Post()
  create (@Body() body: object) { return body }
}
@Module({ controllers: [Bodies] })
export class AppModule {}`

const others = fs.readFileSync(path.join(__dirname, 'programs.md'), 'utf8')
const programs = [page, others].flatMap(programsOf)

describe('docs/frameworks.md', () => {
  let folder

  before(requireCurl)

  before(async function () {
    this.timeout(60_000) // ms; npm packs
    folder = await createProject()
    write(folder, { 'app.module.js': toJavaScript(APP_MODULE), 'package.json': { type: 'module' } })
  })

  after(() => remove(folder))

  it('has no program that is not asked', () => {
    for (const { title, requests } of programs) assert.ok(requests.length > 0, title)
  })

  /** Sends the requests of the page, and JSON that is broken. */
  async function sendBoth (url, { requests }) {
    await ask(url, requests)
    const [[command]] = requests
    const [, path] = /localhost:3000(\S*)/.exec(command)
    const [, type] = /Content-Type: (application\/[\w-]+)/.exec(command) ?? [null, 'application/json']
    const broken = await fetch(new URL(path, url), { method: 'POST', headers: { 'content-type': type }, body: '{' })
    assert.equal(broken.status, 400)
  }

  const [routes, apps] = [true, false].map((isNext) => programs.filter(({ title }) => (title === 'Next.js') === isNext))
  for (const app of apps) {
    const code = app.language === 'ts' ? toJavaScript(app.code) : app.code
    it(`runs under ${app.title}: ${app.requests[0][0]}`, () => serve(folder, code, (url) => sendBoth(url, app)))
  }

  it('runs under Next.js', async function () {
    this.timeout(60_000) // ms; Next.js compiles
    const files = routes.map(({ code }) => [/^\/\/ (.*)/.exec(code)[1], code])
    write(folder, { ...Object.fromEntries(files), 'next.config.js': 'export default { turbopack: { root: "/" } }' })
    await serve(folder, NEXT, async (url) => {
      for (const route of routes) await sendBoth(url, route)
    })
  })
})

function toJavaScript (code) {
  const compilerOptions = {
    module: 'esnext',
    target: 'es2022',
    experimentalDecorators: true,
    emitDecoratorMetadata: true
  }
  return ts.transpileModule(code, { compilerOptions }).outputText
}
