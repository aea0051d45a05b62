'use strict'

// The programs of docs/frameworks.md: each is asked what its last lines say.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const ts = require('typescript')
const { serve } = require('../support/program')
const { ROOT, createFolder, remove, run, unpack, write } = require('../support/project')

const page = fs.readFileSync(path.join(ROOT, 'docs/frameworks.md'), 'utf8')
const { dependencies } = require('../package.json')
const MODULES = path.join(__dirname, '../node_modules')
const APP_MODULE = `
import { Body, Controller, Module, Post } from '@nestjs/common'
@Controller()
class Bodies {
  @Post()
  create (@Body() body: object) { return body }
}
@Module({ controllers: [Bodies] })
export class AppModule {}`
const NEXT = `
import { createServer } from 'node:http'
import next from 'next'
process.env.NEXT_TELEMETRY_DISABLED = '1'
const app = next({ dev: true, dir: process.cwd() })
await app.prepare()
createServer(app.getRequestHandler()).listen(3000)`

/** Section, language and code of each program, with the request and the answer that it ends with. */
const programs = page.split(/^## /m).flatMap((section) => {
  const [title] = section.split('\n')
  return Array.from(section.matchAll(/^```(js|ts)\n([^]*?)\/\/ curl (.*)\n\/\/ (.*)\n```$/gm), ([, language, code, request, answer]) => ({ title, language, code, request, answer }))
})

describe('docs/frameworks.md', () => {
  let folder

  before(async function () {
    this.timeout(60_000) // ms; npm packs
    await run('curl', ['--version']).catch(() => {
      console.log('      curl is not on this machine')
      this.skip()
    })
    folder = createFolder()
    const modules = path.join(folder, 'node_modules')
    fs.mkdirSync(modules)
    fs.renameSync(await unpack(folder), path.join(modules, 'fast-body-parser'))
    for (const place of [path.join(ROOT, 'node_modules'), MODULES]) { // of a package in both, that of the frameworks
      for (const name of fs.readdirSync(place).filter((name) => name !== '.bin' && name !== '.package-lock.json')) {
        fs.rmSync(path.join(modules, name), { force: true })
        fs.symlinkSync(path.join(place, name), path.join(modules, name))
      }
    }
    write(folder, { 'app.module.js': toJavaScript(APP_MODULE), 'package.json': { type: 'module' } })
  })

  after(() => remove(folder))

  it('has no program that is not run here', () => {
    assert.equal(programs.length, page.match(/^```(js|ts)$/gm).length)
  })

  it('names the versions that are run here', () => {
    const names = { NestJS: '@nestjs/core', 'Apollo Server': '@apollo/server', tRPC: '@trpc/server', 'Next.js': 'next', Fastify: 'fastify' }
    for (const [title, name] of Object.entries(names)) {
      const [, major] = /(\d+)\./.exec(dependencies[name])
      assert.ok(page.includes(`${title} ${major}`), title)
    }
  })

  /** Sends the request, and JSON that is broken. */
  async function ask (url, { request, answer }) {
    const command = `curl -sS ${request.replace('localhost:3000', url.slice(0, -1))}`
    const { stdout } = await run('sh', ['-c', command], { cwd: folder })
    assert.equal(stdout.trim(), answer)
    const [, path] = /^localhost:3000(\S*)/.exec(request)
    const broken = await fetch(new URL(path, url), { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' })
    assert.equal(broken.status, 400)
  }

  const [routes, apps] = [true, false].map((isNext) => programs.filter(({ title }) => (title === 'Next.js') === isNext))
  for (const app of apps) {
    const code = app.language === 'ts' ? toJavaScript(app.code) : app.code
    it(`runs under ${app.title}: curl ${app.request}`, () => serve(folder, code, (url) => ask(url, app)))
  }

  it('runs under Next.js', async function () {
    this.timeout(60_000) // ms; Next.js compiles
    const files = routes.map(({ code }) => [/^\/\/ (.*)/.exec(code)[1], code])
    write(folder, { ...Object.fromEntries(files), 'next.config.js': 'export default { turbopack: { root: "/" } }' })
    await serve(folder, NEXT, async (url) => {
      for (const route of routes) await ask(url, route)
    })
  })
})

function toJavaScript (code) {
  const compilerOptions = { module: 'esnext', target: 'es2022', experimentalDecorators: true, emitDecoratorMetadata: true }
  return ts.transpileModule(code, { compilerOptions }).outputText
}
