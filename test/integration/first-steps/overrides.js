'use strict'

// This package under Express, as the README and docs/migrating.md tell: in new
// applications, and in those that npm has installed before.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { INSTALL_TIME, ROOT, createFolder, pack, remove, run, write } = require('../support/project')

const { name } = require('../../../package.json')
const { dependencies: added, overrides } = JSON.parse(blockOf('README.md', 'json'))
const removal = blockOf('docs/migrating.md', 'sh')

const applications = [
  { it: 'a new one on Express 5', dependencies: { express: '^5' } },
  { it: 'an installed one on Express 4 that depends on body-parser', dependencies: { 'body-parser': '1.20.3', express: '^4' }, copies: 2 },
  { it: 'an installed one on Express 5 and on json-server', dependencies: { express: '^5', 'json-server': '^0.17.4' }, copies: 2 }
]

const PROGRAM = `
const express = require('express')
const app = express()
app.use(express.json(), (req, res) => res.json(req.body))
const server = app.listen(0, async () => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', headers, body: '{"a":1}' })
  console.log(await response.text())
  server.close()
})`

/** The one block of a page in that language that is about body-parser. */
function blockOf (page, language) {
  const text = fs.readFileSync(path.join(ROOT, page), 'utf8')
  const blocks = Array.from(text.matchAll(/^```(.*)\n([^]*?)^```$/gm), ([, info, code]) => ({ info, code }))
  const found = blocks.filter(({ info, code }) => info === language && /body-parser["']/.test(code))
  assert.equal(found.length, 1, `${page}, ${language}`)
  return found[0].code
}

/** Where npm has put body-parser. */
function placesOf (folder) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'))
  return Object.keys(packages).filter((place) => /(^|\/)node_modules\/body-parser$/.test(place))
}

describe('overrides', function () {
  this.timeout(3 * INSTALL_TIME)

  const { npm_config_local_prefix: _, ...inherited } = process.env // the folder that an outer `npm run` works in
  const env = { ...inherited, npm_config_audit: 'false', npm_config_fund: 'false', npm_config_loglevel: 'error', npm_config_prefer_offline: 'true' }
  const folders = []
  let tarball

  before(async () => {
    folders.push(createFolder())
    tarball = await pack(folders[0])
  })

  after(() => folders.forEach(remove))

  it('name this package', () => {
    assert.deepEqual(Object.keys(added), ['body-parser'])
    assert.match(added['body-parser'], new RegExp(`^npm:${name}@\\^\\d+\\.\\d+\\.\\d+$`))
  })

  for (const { it: title, dependencies, copies } of applications) {
    it(`put it under ${title}`, async () => {
      const folder = createFolder()
      folders.push(folder)
      const call = (command, ...args) => run(command, args, { cwd: folder, env, timeout: INSTALL_TIME })

      if (copies !== undefined) {
        write(folder, { 'package.json': { private: true, dependencies } })
        await call('npm', 'install')
        assert.equal(placesOf(folder).length, copies)
      }
      const found = { 'body-parser': `file:${tarball}` } // what is not published yet
      write(folder, { 'package.json': { private: true, dependencies: { ...dependencies, ...found }, overrides }, 'program.js': PROGRAM })
      await call('npm', 'install')
      if (copies !== undefined) await call('sh', '-c', removal)

      const { stdout: list } = await call('npm', 'ls', 'body-parser')
      const lines = list.split('\n').filter((line) => line.includes('body-parser@'))
      assert.ok(lines.length > 1, list)
      for (const line of lines) assert.ok(line.includes(`body-parser@npm:${name}@`), list)
      assert.deepEqual(placesOf(folder), ['node_modules/body-parser'])
      const { stdout: answer } = await call(process.execPath, 'program.js')
      assert.equal(answer, '{"a":1}\n')
    })
  }
})
