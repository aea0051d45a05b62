'use strict'

// docs/under-express.md and docs/migrating.md, run, with the programs that support/migrations.md has for the
// latter: each is a child process in a project of its own, and is sent what the tables of the section say.

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const { createRequire } = require('node:module')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const manifest = require('../../../package.json')
const { blocksOf, read } = require('../../support/pages')
const upload = require('../../support/upload')
const ALIKE = require('../support/answered-alike')

const root = path.join(__dirname, '../../..')
const requireOwn = createRequire(path.join(root, 'index.js')) // as the package names itself
const subjectPath = requireOwn.resolve('fast-body-parser')
const modules = path.join(root, 'test/integration/node_modules')
const PAGES = ['docs/under-express.md', 'docs/migrating.md', 'test/integration/support/migrations.md']

/** The packages that the programs of a page, or of a section, get under other names than here. */
const OLD = { express: 'express-4', 'body-parser': 'body-parser-1' }
const aliasesOf = {
  'How do I put it under Express 4?': { express: 'express-4' },
  'body-parser 1': OLD,
  'Are forms without extended the same?': OLD
}

/** The sections of all pages; what has the same title is one section. */
function readGroups () {
  const groups = new Map()
  for (const part of PAGES.flatMap((name) => read(name).split(/^(?=#+ )/m))) {
    const title = /^#+ (.*)/.exec(part)[1]
    const { blocks, rows } = groups.get(title) ?? groups.set(title, { blocks: [], rows: [] }).get(title)
    blocks.push(...blocksOf(part).map(({ language, code }) => ({ info: language, code })))
    const tables = Array.from(part.matchAll(/^\| request \|.*\n\|.*\n((?:\|.*\n)+)/gm), ([, lines]) => lines).join('')
    rows.push(...Array.from(tables.matchAll(/^\| (.*) \|$/gm), ([, row]) => row.split(' | ')))
  }
  return Array.from(groups, ([title, { blocks, rows }]) => {
    const alike = (ALIKE[title] ?? []).map(([request, answer]) => [request, answer, answer])
    return { title, blocks, rows: [...rows, ...alike], aliases: aliasesOf[title] ?? {} }
  })
}

const groups = readGroups()
const allBlocks = groups.flatMap(({ blocks }) => blocks)
const recipes = allBlocks.filter(({ info }) => info === 'json').map(({ code }) => JSON.parse(code))

const kilobytes = {
  'application/json': (length) => JSON.stringify(['x'.repeat(length - 4)]),
  'application/x-www-form-urlencoded': (length) => 'a='.padEnd(length, 'x'),
  'multipart/form-data': (length) => `avatar=@a.txt:${'x'.repeat(length)}`
}

/** What a first cell says: `POST type body`, gzip. */
function readRequest (cell) {
  const parts = /^`([A-Z]+)(?: ([^ `]+))?(?: (.+))?`(?:, (?:(gzip|br|cut)|(\d+) KB))?$/.exec(cell)
  assert.ok(parts, `a request: ${cell}`)
  const [, method, type, text, coding, size] = parts
  return { method, type, coding, text: size ? kilobytes[type](size * 1024) : text?.replaceAll('\\n', '\n') }
}

/** What another cell says, as `ask` tells it. */
function readAnswer (cell, { text }) {
  if (/^\d+$/.test(cell)) return { status: Number(cell) }
  if (cell === 'as sent') return { status: 200, body: JSON.parse(text) }
  const [, literal] = /^`(.+)`$/.exec(cell)
  return literal === 'undefined' ? { status: 200 } : { status: 200, body: JSON.parse(literal) }
}

const form = 'application/x-www-form-urlencoded'
const nested = (depth) => `a${'[b]'.repeat(depth)}=1`

/** Answered alike before and after, by programs that parse JSON objects. */
const common = [
  { method: 'POST', type: 'application/json', text: '{"a":[1,null,{"b":"é"}]}' },
  { method: 'PUT', type: 'application/json; charset=utf-8', text: '[1]' },
  { method: 'PATCH', type: 'application/json', text: '{}' }
]

/** The same, by programs with body-parser's options for JSON, extended forms and text. */
const whole = [
  { method: 'DELETE', type: 'application/json', text: '[1]' },
  { method: 'POST', type: 'application/json', text: '' },
  { method: 'POST', type: 'application/json', text: '{"a"' },
  { method: 'POST', type: 'application/json', text: '"a"' },
  { method: 'POST', type: 'application/json', text: '{"__proto__":{"a":1}}' },
  { method: 'POST', type: 'application/json', text: JSON.stringify(['x'.repeat(1020)]) },
  { method: 'POST', type: 'application/json', text: JSON.stringify(['x'.repeat(1021)]) },
  { method: 'POST', type: 'application/json; charset=latin1', text: '{}' },
  { method: 'POST', type: 'application/json', text: '{"a":1}', coding: 'gzip' },
  { method: 'POST', type: 'text/plain', text: 'é' },
  { method: 'POST', type: form, text: 'a[b]=1&a[c][]=2&a[c][]=3&d=e+f&d=%C3%A9' },
  { method: 'POST', type: form, text: nested(32) },
  { method: 'POST', type: form, text: nested(33) },
  { method: 'POST', type: form, text: 'a&'.repeat(999) },
  { method: 'POST', type: form, text: 'a&'.repeat(1000) }
]

/** Listens on a port that is free, and tells which. Goes when this process goes. */
const preload = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net'
  const { listen } = net.Server.prototype
  net.Server.prototype.listen = function (port) {
    this.once('listening', () => process.send({ asked: port, port: this.address().port }))
    return listen.call(this, 0, '127.0.0.1')
  }
  process.on('disconnect', () => process.exit())
`)}`

/** A directory in which, and below which, the packages of this repository are found. */
function createWorkspace () {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'migration-'))
  for (const name of fs.readdirSync(modules)) if (!name.startsWith('.')) link(place, name, path.join(modules, name))
  link(place, 'fast-body-parser', root)
  return place
}

function link (place, name, target) {
  const own = path.join(place, 'node_modules')
  fs.mkdirSync(own, { recursive: true })
  fs.symlinkSync(target, path.join(own, name), 'junction')
}

/**
 * A directory for a program, with packages of its own: those of `aliases`, and
 * with `overridden`, what npm makes of the page's overrides, an Express for
 * which the packages that they name are this one.
 */
function createProject (place, { express = 'express', ...aliases }, overridden) {
  for (const [name, target] of Object.entries(aliases)) link(place, name, path.join(modules, target))
  if (!overridden) return link(place, 'express', path.join(modules, express))
  const names = ['body-parser']
  const isOverridden = (source) => names.some((name) => source.endsWith(path.join('node_modules', name)))
  // A copy, as Node looks for dependencies where a package really is.
  fs.cpSync(path.join(modules, express), path.join(place, 'node_modules', 'express'), {
    recursive: true,
    filter: (source) => !isOverridden(source)
  })
  for (const name of names) link(place, name, root)
}

/** Where the `body-parser` is that a project's Express loads. */
function parserOfExpress (place) {
  const express = fs.realpathSync(path.join(place, 'node_modules', 'express', 'index.js'))
  return createRequire(express).resolve('body-parser')
}

const children = []

/** Runs a program in a project; gives the port on which it listens. */
async function start (place, code) {
  const file = path.join(place, code.startsWith('import ') ? 'program.mjs' : 'program.js')
  fs.writeFileSync(file, code)
  const child = fork(file, {
    cwd: place,
    env: { ...process.env, NODE_V8_COVERAGE: '', NODE_ENV: 'production', NO_DEPRECATION: '*' },
    execArgv: ['--import', preload],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc']
  })
  children.push(child)
  let complaints = ''
  child.stderr.on('data', (chunk) => { complaints += chunk })
  const [{ asked, port }] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([status]) => assert.fail(`ended with ${status}: ${complaints}`))
  ])
  assert.equal(asked, 3000)
  return port
}

/** The bytes of `title=me&avatar=@a.txt:hi`: a field, and a file. */
function formOf (text) {
  return upload.form(...text.split('&').map((part) => {
    const [, name, file, value] = /^([^=]+)=(?:@(.+?):)?(.*)$/.exec(part)
    return file === undefined ? [name, value] : [name, value, file, 'text/plain']
  }))
}

const coders = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync }
const cut = (body) => body.subarray(0, -10)

/** The status of the answer, and what is in it, if it is no error. */
function ask (port, { method, type, text, coding }) {
  return new Promise((resolve, reject) => {
    const isForm = type === 'multipart/form-data'
    const content = text === undefined ? undefined : isForm ? formOf(text) : Buffer.from(text)
    const body = coding === 'cut' ? cut(content) : coding ? coders[coding](content) : content
    const req = http.request({
      host: '127.0.0.1',
      port,
      method,
      agent: false,
      headers: body && { 'content-length': body.length }
    },
    async (res) => {
      const content = await new Response(res).text()
      resolve(res.statusCode === 200 ? { status: 200, ...JSON.parse(content) } : { status: res.statusCode })
    })
    if (type) req.setHeader('content-type', isForm ? `${type}; boundary=b` : type)
    if (coders[coding]) req.setHeader('content-encoding', coding)
    req.on('error', reject)
    req.end(body)
  })
}

describe('the pages about coming from another package', () => {
  let places

  before(() => {
    places = createWorkspace()
  })

  after(() => {
    for (const child of children) child.kill()
    fs.rmSync(places, { recursive: true, force: true })
  })

  it('has only programs that are run and tables that are read', () => {
    const known = ['js before', 'js after', 'js both', 'json', 'sh', 'text', 'yaml']
    for (const { info } of allBlocks) assert.ok(known.includes(info), info)
    const titles = groups.map(({ title }) => title)
    for (const title of [...Object.keys(ALIKE), ...Object.keys(aliasesOf)]) assert.ok(titles.includes(title), title)
    for (const { title, blocks, rows } of groups) {
      const infos = blocks.map(({ info }) => info).filter((info) => info.startsWith('js ')).join()
      assert.match(infos, /^(|js before,js after|js after,js before|js after|js both)$/, title)
      assert.ok(infos !== 'js after' || rows.length > 0, `${title}: what should come of it?`)
      assert.ok(infos !== '' || rows.length === 0, `${title}: of what?`)
    }
  })

  it('installs this package in place of body-parser', () => {
    const [major, minor, patch] = manifest.version.split('.')
    const spec = `npm:${manifest.name}@~${major}.${minor}.100`
    assert.ok(patch >= 100)
    assert.deepEqual(recipes, [
      { dependencies: { 'body-parser': spec }, overrides: { 'body-parser@2': '$body-parser' } },
      { dependencies: { 'body-parser': spec }, resolutions: { 'express/body-parser': spec } },
      { dependencies: { 'body-parser': spec }, overrides: { 'body-parser': '$body-parser' } }
    ])
    assert.deepEqual(allBlocks.filter(({ info }) => info === 'yaml').map(({ code }) => code),
      [`overrides:\n  body-parser@2: ${spec}\n`])
  })

  for (const [index, { title, blocks, rows, aliases }] of groups.entries()) {
    const codeOf = (...infos) => blocks.find(({ info }) => infos.includes(info))?.code
    const sources = { before: codeOf('js before', 'js both'), after: codeOf('js after', 'js both') }
    if (!sources.after) continue

    describe(title, () => {
      const ports = {}

      before(async () => {
        await Promise.all(Object.entries(sources).map(async ([when, code]) => {
          if (!code) return
          const place = path.join(places, `${index}-${when}`)
          createProject(place, aliases, when === 'after' && Boolean(codeOf('js both')))
          ports[when] = await start(place, code)
        }))
      })

      for (const [cell, ...answers] of rows) {
        it(`answers ${cell}`, async () => {
          const request = readRequest(cell)
          const [before, after] = sources.before ? answers : [undefined, ...answers]
          assert.equal(answers.length, sources.before ? 2 : 1)
          const actual = async (when) => {
            const { status, body } = await ask(ports[when], request)
            return body === undefined ? { status } : { status, body }
          }
          if (before) assert.deepEqual(await actual('before'), readAnswer(before, request))
          assert.deepEqual(await actual('after'), readAnswer(after, request))
        })
      }

      if (!sources.before) return

      const isWhole = /urlencoded[^]*text\(/.test(sources.after)
      for (const request of isWhole
        ? [...common, ...whole]
        : title === 'koa-bodyparser' ? common : []) {
        it(`gives the same answer before and after to ${JSON.stringify(request).slice(0, 100)}`, async () => {
          const before = await ask(ports.before, request)
          assert.ok(before.status !== 404 && before.status !== 500) // it came to the handler, or the parser refused it
          assert.deepEqual(await ask(ports.after, request), before)
        })
      }

      if (!codeOf('js both')) return

      it('installs this package under Express without a change to the program', () => {
        assert.notEqual(parserOfExpress(path.join(places, `${index}-before`)), subjectPath)
        assert.equal(parserOfExpress(path.join(places, `${index}-after`)), subjectPath)
      })
    })
  }
})
