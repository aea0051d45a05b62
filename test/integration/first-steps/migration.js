'use strict'

// docs/under-express.md and docs/migrating.md, run, with the programs that support/migrations.md has for the
// latter: each is a child process in a project of its own, and is sent what the tables of the section say.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const zlib = require('node:zlib')
const { ROOT, blocksOf, read } = require('../../support/pages')
const upload = require('../../support/upload')
const { createProject, startProgram } = require('../support/program')
const { remove } = require('../support/project')

const modules = path.join(ROOT, 'test/integration/node_modules')
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
    blocks.push(...blocksOf(part))
    const tables = Array.from(part.matchAll(/^\| request \|.*\n\|.*\n((?:\|.*\n)+)/gm), ([, lines]) => lines).join('')
    rows.push(...Array.from(tables.matchAll(/^\| (.*) \|$/gm), ([, row]) => row.split(' | ')))
  }
  return Array.from(groups, ([title, { blocks, rows }]) => ({ title, blocks, rows, aliases: aliasesOf[title] ?? {} }))
}

const groups = readGroups()
const ENVIRONMENT = { NODE_V8_COVERAGE: '', NODE_ENV: 'production', NO_DEPRECATION: '*' }

const kilobytes = {
  'application/json': (length) => JSON.stringify(['x'.repeat(length)]),
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
function readAnswer (cell) {
  if (/^\d+$/.test(cell)) return { status: Number(cell) }
  const [, literal] = /^`(.+)`$/.exec(cell)
  return literal === 'undefined' ? { status: 200 } : { status: 200, body: JSON.parse(literal) }
}

function link (place, name, target) {
  const own = path.join(place, 'node_modules')
  fs.mkdirSync(own, { recursive: true })
  fs.symlinkSync(target, path.join(own, name), 'junction')
}

/**
 * A directory for a program, with packages of its own: those of `aliases`, and with `overridden`, what npm makes of an
 * override, an Express for which body-parser is this package.
 */
function addPackages (place, { express = 'express', ...aliases }, overridden) {
  for (const [name, target] of Object.entries(aliases)) link(place, name, path.join(modules, target))
  if (!overridden) return link(place, 'express', path.join(modules, express))
  // A copy, as Node looks for dependencies where a package really is.
  fs.cpSync(path.join(modules, express), path.join(place, 'node_modules', 'express'), {
    recursive: true,
    filter: (source) => !source.endsWith(path.join('node_modules', 'body-parser'))
  })
  link(place, 'body-parser', ROOT)
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
async function ask (url, { method, type, text, coding }) {
  const isForm = type === 'multipart/form-data'
  const content = text === undefined ? undefined : isForm ? formOf(text) : Buffer.from(text)
  const body = coding === 'cut' ? cut(content) : coding ? coders[coding](content) : content
  const req = http.request(url, { method, agent: false, headers: body && { 'content-length': body.length } })
  if (type) req.setHeader('content-type', isForm ? `${type}; boundary=b` : type)
  if (coders[coding]) req.setHeader('content-encoding', coding)
  const [res] = await once(req.end(body), 'response')
  const answer = Buffer.concat(await res.toArray())
  if (res.statusCode !== 200) return { status: res.statusCode }
  return { status: 200, ...JSON.parse(answer) }
}

describe('the pages about coming from another package', () => {
  let places

  before(async function () {
    this.timeout(60_000) // ms; npm packs
    places = await createProject()
  })

  after(() => remove(places))

  it('has only programs that are run and tables that are read', () => {
    const titles = groups.map(({ title }) => title)
    for (const title of Object.keys(aliasesOf)) assert.ok(titles.includes(title), title)
    for (const { title, blocks, rows } of groups) {
      const infos = blocks.map(({ language }) => language).filter((language) => language.startsWith('js ')).join()
      assert.match(infos, /^(|js before,js after|js after,js before|js after|js both)$/, title)
      assert.ok(infos !== 'js after' || rows.length > 0, `${title}: what should come of it?`)
      assert.ok(infos !== '' || rows.length === 0, `${title}: of what?`)
    }
  })

  for (const [index, { title, blocks, rows, aliases }] of groups.entries()) {
    const codeOf = (...languages) => blocks.find(({ language }) => languages.includes(language))?.code
    const sources = { before: codeOf('js before', 'js both'), after: codeOf('js after', 'js both') }
    if (!sources.after) continue

    describe(title, () => {
      const started = {}

      before(async () => {
        await Promise.all(Object.entries(sources).filter(([, code]) => code).map(async ([when, code]) => {
          const place = path.join(places, `${index}-${when}`)
          addPackages(place, aliases, when === 'after' && Boolean(codeOf('js both')))
          started[when] = await startProgram(place, code, ENVIRONMENT)
        }))
      })

      after(() => Promise.all(Object.values(started).map((program) => program.stop())))

      for (const [cell, ...answers] of rows) {
        it(`answers ${cell}`, async () => {
          const request = readRequest(cell)
          const sides = sources.before ? ['before', 'after'] : ['after']
          assert.equal(answers.length, sides.length)
          for (const [i, when] of sides.entries()) {
            const { status, body } = await ask(started[when].url, request)
            assert.deepEqual(body === undefined ? { status } : { status, body }, readAnswer(answers[i]), when)
          }
        })
      }
    })
  }
})
