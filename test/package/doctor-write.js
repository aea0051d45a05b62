'use strict'

// npx fast-body-parser --write and --undo, with an installation that is played: test/integration/first-steps/ has that
// of package managers.

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { version } = require('../../package.json')
const multer = require('../../multer/package.json')
const { run } = require('../../bin/doctor/run')
const useFolder = require('../support/folder')

const PARSER = `npm:fast-body-parser@~${version}`
const MULTER = `npm:fast-multer@~${multer.version}`
const nest = { name: 'nest', version: '11.0.0', dependencies: { express: '5', multer: '2.0.2' } }
const express = { name: 'express', version: '5.1.0', dependencies: { 'body-parser': '^2.2.0' } }
const theirs = {
  'body-parser': { name: 'body-parser', version: '2.2.0' },
  multer: { name: 'multer', version: '2.0.2' }
}
const others = {
  'node_modules/@nestjs/core/package.json': { name: '@nestjs/core', version: '11.0.0' },
  'node_modules/nest/package.json': nest,
  'node_modules/express/package.json': express
}
const ours = { 'body-parser': { name: 'fast-body-parser', version }, multer }
const APP = `{
\t"name": "app",
\t"files": ["a", "b"],
\t"dependencies": {
\t\t"@nestjs/core": "^11",
\t\t"nest": "^11"
\t}
}
`
const YAML = `# of this repository
packages:
  - '.'

# pinned
overrides:
  left-pad: 1.3.0 # see #12

allowBuilds: {}
`

describe('npx fast-body-parser --write', () => {
  const { at, read } = useFolder()

  beforeEach(() => {
    put({ 'package.json': APP, ...others })
    install()
  })

  function put (files) {
    for (const [name, content] of Object.entries(files)) {
      const file = at(name)
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    }
  }

  const readOrNone = (name) => fs.existsSync(at(name)) ? read(name) : ''

  /** Installs the parsers that the files ask for, wherever a package manager reads that. */
  function install () {
    const yaml = readOrNone('pnpm-workspace.yaml')
    for (const name of ['body-parser', 'multer']) {
      const isOurs = (read('package.json') + yaml).includes(`npm:fast-${name}@`)
      put({ [`node_modules/${name}/package.json`]: (isOurs ? ours : theirs)[name] })
    }
    put({ 'node_modules/fast-body-parser/package.json': ours['body-parser'] })
  }

  function installTheirs () {
    for (const [name, manifest] of Object.entries(theirs)) put({ [`node_modules/${name}/package.json`]: manifest })
  }

  const start = (args, play = install) => run(args, at(), { install: play })

  /** Writes with these files, which must succeed. */
  function write (files = {}) {
    put(files)
    assert.equal(start(['--write']).status, 0)
  }

  /** Takes it out again, whereupon the files must be these. */
  function undo (files = { 'package.json': APP }) {
    assert.equal(start(['--undo']).status, 0)
    for (const [name, content] of Object.entries(files)) assert.equal(read(name), content)
  }

  /** Package manager -> what tells of it, and the files that are changed, as they are then. */
  const managers = {
    npm: [{}, {
      'package.json': `{
\t"name": "app",
\t"files": ["a", "b"],
\t"dependencies": {
\t\t"@nestjs/core": "^11",
\t\t"body-parser": "${PARSER}",
\t\t"multer": "${MULTER}",
\t\t"nest": "^11"
\t},
\t"overrides": {
\t\t"body-parser@2": "$body-parser",
\t\t"multer@2": "$multer"
\t}
}
`
    }],
    'pnpm 12': [{ 'pnpm-workspace.yaml': YAML, 'node_modules/.modules.yaml': '{"packageManager":"pnpm@12.0.1"}' }, {
      'package.json': APP.replace('"nest"', `"body-parser": "${PARSER}",\n\t\t"multer": "${MULTER}",\n\t\t"nest"`),
      'pnpm-workspace.yaml': YAML.replace('#12\n', `#12\n  body-parser@2: ${PARSER}\n  multer@2: ${MULTER}\n`)
    }],
    'pnpm 9': [{ 'pnpm-lock.yaml': '', 'node_modules/.modules.yaml': '{"packageManager":"pnpm@9.0.1"}' },
      ['pnpm', 'overrides', 'body-parser@2', PARSER]],
    'Yarn 4': [{ 'yarn.lock': '__metadata:\n' }, ['resolutions', 'express/body-parser', PARSER]],
    Bun: [{ 'bun.lock': '{}' }, ['overrides', 'body-parser', PARSER]]
  }

  for (const [title, [files, expected]] of Object.entries(managers)) {
    it(`writes what ${title} reads, and takes exactly that out again`, () => {
      put(files)
      const { status, text } = start(['--write'])
      assert.equal(status, 0, text)
      if (Array.isArray(expected)) {
        const value = expected.slice(0, -1).reduce((object, key) => object[key], JSON.parse(read('package.json')))
        assert.equal(value, expected.at(-1))
      } else {
        for (const [name, content] of Object.entries(expected)) assert.equal(read(name), content)
      }
      assert.equal(run(['--expect=body-parser,multer'], at()).status, 0)

      const { status: again, text: nothing } = start(['--write'], assert.fail)
      assert.deepEqual([again, nothing], [0, 'Nothing to write.\n'])

      assert.equal(start(['--undo']).status, 0)
      for (const [name, content] of Object.entries({ 'package.json': APP, ...files })) assert.equal(read(name), content)
      assert.equal(start(['--undo'], assert.fail).text, 'Nothing to undo.\n')
    })
  }

  it('shows the lines that change, and leaves them with --dry-run', () => {
    const { status, text } = start(['--write', '--only=multer', '--dry-run'], assert.fail)
    assert.deepEqual([status, text], [0, `package.json
  + \t\t"multer": "${MULTER}",
  + \t},
  + \t"overrides": {
  + \t\t"multer@2": "$multer"
Nothing is changed: this is a dry run.
`])
    assert.equal(read('package.json'), APP)
  })

  it('remembers the version that the project depended on', () => {
    const own = APP.replace('"nest"', '"multer": "^2.0.0",\n\t\t"nest"')
    write({ 'package.json': own })
    const { dependencies, 'fast-body-parser': { replaced } } = JSON.parse(read('package.json'))
    assert.deepEqual([dependencies.multer, replaced], [MULTER, { dependencies: { multer: '^2.0.0' } }])
    assert.equal(start(['--undo', '--only=multer']).status, 0)
    assert.deepEqual(Object.keys(JSON.parse(read('package.json')).overrides), ['body-parser@2'])
    undo({ 'package.json': own })
  })

  for (const [title, text] of Object.entries({
    'one line': '{"name":"app","dependencies":{"@nestjs/core":"^11","nest":"^11"}}',
    'Windows\' line ends and a byte order mark': `\uFEFF${APP.replaceAll('\n', '\r\n')}`,
    'four blanks': APP.replaceAll('\t', '    '),
    'blank lines between dependencies': APP.replace(',\n\t\t"nest"', ',\n\n\t\t"nest"'),
    'an object that is empty': APP.replace('\n}\n', ',\n\t"overrides": {}\n}\n'),
    'overrides that have other versions': APP.replace('\n}\n',
      ',\n\t"overrides": {\n\t\t"body-parser": "2.2.0",\n\t\t"multer@2": "2.0.2"\n\t}\n}\n'),
    'two kinds of one dependency': APP.replace('\n}\n',
      ',\n\t"devDependencies": {\n\t\t"multer": "^2"\n\t},\n\t"optionalDependencies": {\n\t\t"multer": "^2.0.0"\n\t}\n}\n'),
    'properties on one line': '{\n  "name": "app",\n  "dependencies": { "@nestjs/core": "^11", "nest": "^11" }\n}'
  })) {
    it(`keeps what else there is in a file of ${title}`, () => {
      write({ 'package.json': text })
      assert.deepEqual(Object.keys(JSON.parse(read('package.json').replace('\uFEFF', '')).overrides).length, 2)
      undo({ 'package.json': text })
    })
  }

  for (const [title, yaml, expected = yaml.trimEnd()] of [
    ['without a last line break', 'packages:\n  - .'],
    ['of Windows', 'overrides:\r\n  a: 1\r\nallowBuilds: {}\r\n', 'allowBuilds: {}'],
    ['with quoted keys', '"overrides":\n    "a": "1"\n'],
    ['with overrides that are null', 'overrides: # none yet\n# x\npackages:\n  - .\n', 'packages:\n  - .'],
    ['with a blank line first', 'overrides:\n\n    a: 1\n'],
    ['with other versions', "overrides:\n  body-parser: '2.2.0' # see 1\n  \"multer@2\": 2.0.2\n", '# see 1'],
    ['with a comment last', 'overrides:\n  a: 1\n\n# end', '# end']
  ]) {
    it(`keeps what else there is in a pnpm-workspace.yaml ${title}`, () => {
      write({ 'pnpm-workspace.yaml': yaml, 'node_modules/.modules.yaml': '{"packageManager":"pnpm@10.1.0"}' })
      assert.equal(run(['--expect=body-parser,multer'], at()).status, 0)
      assert.ok(read('pnpm-workspace.yaml').includes(expected), read('pnpm-workspace.yaml'))
      assert.equal(read('pnpm-workspace.yaml').match(/fast-(body-parser|multer)@/g).length, 2)
      assert.equal(start(['--write'], assert.fail).text, 'Nothing to write.\n')
      undo({ 'pnpm-workspace.yaml': yaml, 'package.json': APP })
    })
  }

  const withManager = (manager) => APP.replace('{', `{\n\t"packageManager": "${manager}",`)
  for (const [title, files, message] of [
    ['overrides of pnpm in braces', { 'pnpm-workspace.yaml': 'overrides: { a: 1 }\n' }, /write it as one line/],
    ['another program', { 'package.json': withManager('vlt@1.0.0') }, /know npm, pnpm, Yarn and Bun, not vlt/],
    ['one of two files that cannot be written', {
      'package.json': withManager('pnpm@12.0.0'),
      'pnpm-workspace.yaml/file': ''
    }, /pnpm-workspace.yaml cannot be (read|written) \(EISDIR\)/]
  ]) {
    it(`changes nothing of a project with ${title}`, () => {
      put(files)
      const before = read('package.json')
      assert.throws(() => start(['--write'], assert.fail), message)
      assert.equal(read('package.json'), before)
    })
  }

  it('keeps the overrides that pnpm 10 reads in package.json', () => {
    const own = APP.replace('\n}\n', ',\n\t"pnpm": {\n\t\t"overrides": {\n\t\t\t"a": "1"\n\t\t}\n\t}\n}\n')
    write({ 'package.json': own, 'node_modules/.modules.yaml': '{"packageManager":"pnpm@10.1.0"}' })
    assert.deepEqual(Object.keys(JSON.parse(read('package.json')).pnpm.overrides), ['a', 'body-parser@2', 'multer@2'])
    assert.equal(fs.existsSync(at('pnpm-workspace.yaml')), false)
    undo({ 'package.json': own })
  })

  it('names the workspaces that have a version of a catalog of pnpm', () => {
    const own = { name: '@own/api', version: '1.0.0', dependencies: { multer: 'catalog:', express: '5' } }
    const yaml = 'packages:\n  - packages/*\ncatalog:\n  multer: ^2.0.0\n'
    write({ 'packages/api/package.json': own, 'pnpm-workspace.yaml': yaml })
    assert.ok(read('pnpm-workspace.yaml').includes(`\n  '@own/api>multer': ${MULTER}\n`), read('pnpm-workspace.yaml'))
    assert.equal(run(['--expect=body-parser,multer'], at()).status, 0)
    undo({ 'pnpm-workspace.yaml': yaml })
  })

  it('takes out what was written in two steps', () => {
    put({ 'package.json': APP.replace('"nest"', `"multer": "${MULTER}",\n\t\t"nest"`) })
    installTheirs()
    write()
    assert.equal(JSON.parse(read('package.json'))['fast-body-parser'], undefined)
    undo()
  })

  it('does not remove a workspace that has the name of a parser', () => {
    put({ 'package.json': APP.replace('{', '{\n\t"workspaces": ["packages/*"],') })
    put({ 'packages/own/package.json': { ...theirs['body-parser'], version: '2.9.0' } })
    fs.rmSync(at('node_modules/body-parser'), { recursive: true })
    fs.symlinkSync(at('packages/own'), at('node_modules/body-parser'), 'junction')
    start(['--write', '--only=body-parser'], () => {})
    assert.ok(fs.existsSync(at('packages/own/package.json')))
  })

  it('installs first where nothing is installed yet', () => {
    fs.rmSync(at('node_modules'), { recursive: true })
    assert.throws(() => start(['--write', '--dry-run']), /run `npm install` first/)
    let calls = 0
    const { status } = start(['--write'], () => {
      put(others)
      install(calls++)
    })
    assert.deepEqual([status, calls], [0, 2])
  })

  it('makes npm forget the copy that it keeps', () => {
    const kept = 'node_modules/nest/node_modules/multer'
    const lock = { packages: { '': {}, [kept]: theirs.multer, 'node_modules/nest': nest } }
    write({ 'package-lock.json': lock, [`${kept}/package.json`]: theirs.multer })
    assert.deepEqual(Object.keys(JSON.parse(read('package-lock.json')).packages), ['', 'node_modules/nest'])
    assert.ok(!fs.existsSync(at(kept)))

    put({ [`${kept}/package.json`]: theirs.multer }) // and of lines that were written before
    assert.equal(start(['--write']).text, 'Replaced, installed and checked.\n')
    assert.ok(!fs.existsSync(at(kept)))
  })

  for (const [lock, before, own, after = ''] of [
    ['pnpm-lock.yaml', 'snapshots:\n  express@5.1.0:\n    dependencies:\n',
      `      body-parser: fast-body-parser@${version}\n`, '      bytes: 3.1.2\n'],
    ['yarn.lock', '# yarn lockfile v1\n\n\nexpress@5:\n  version "5.1.0"\n',
      `\n"body-parser@${PARSER}", body-parser@^2.2.0:\n  resolved "fast-body-parser.tgz"\n`]
  ]) {
    it(`takes the entries of this package out of ${lock}`, () => {
      write({ [lock]: before })
      put({ [lock]: before + own + after })
      undo({ [lock]: before + after })
    })
  }

  const LOCK = '{ "packages": {} }'
  for (const [title, play, most, reason, files = { 'package-lock.json': LOCK }] of [
    ['cannot install', () => { throw new Error('`npm install` failed') }, 1, '`npm install` failed'],
    ['does not get this package', installTheirs, 2, 'express 5.1.0 gets body-parser 2.2.0, not fast-body-parser'],
    ['had no lock file', installTheirs, 2, 'express 5.1.0 gets body-parser 2.2.0, not fast-body-parser', {}]
  ]) {
    it(`puts everything back where a project ${title}`, () => {
      let calls = 0
      put(files)
      const { status, text } = start(['--write'], () => {
        if (++calls > most) return
        put({ 'package-lock.json': '{ "packages": { "": {} } }' })
        play()
      })
      assert.equal(status, 1)
      assert.ok(text.includes(reason), text)
      assert.ok(text.endsWith('The files are as they were; installing again.\n'))
      assert.equal(read('package.json'), APP)
      assert.equal(readOrNone('package-lock.json'), files['package-lock.json'] ?? '')
      assert.equal(JSON.parse(read('node_modules/body-parser/package.json')).name, 'body-parser')
      assert.deepEqual(fs.readdirSync(at('node_modules')).filter((name) => name[0] === '.'), [])
    })
  }

  it('leaves no link to a program that is gone', () => {
    write()
    const link = at('node_modules/.bin/fast-body-parser')
    const installed = { ...ours['body-parser'], bin: { 'fast-body-parser': 'doctor.js' } }
    put({ 'node_modules/body-parser/package.json': installed, 'node_modules/.bin/other': '' })
    fs.symlinkSync('../body-parser/doctor.js', link)
    assert.equal(start(['--undo']).status, 0)
    assert.deepEqual(fs.readdirSync(path.dirname(link)), ['other'])
  })

  it('leaves a file whose changes are not committed, unless it is forced', () => {
    const git = (...args) => execFileSync('git', ['-C', at(), '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
    git('init', '-q')
    assert.throws(() => start(['--write'], assert.fail), /package.json has changes that are not committed.*--force/)
    assert.equal(read('package.json'), APP)
    git('add', 'package.json')
    git('commit', '-qm', 'a')
    write()
    assert.throws(() => start(['--undo'], assert.fail), /not committed/)
    assert.equal(start(['--undo', '--force']).status, 0)
    assert.equal(read('package.json'), APP)
  })

  for (const [args, message] of [
    [['--write', '--undo'], /--write cannot be combined with --undo/],
    [['--write', '--json'], /leave out --json and --expect/],
    [['--undo', '--expect'], /leave out --json and --expect/],
    [['--only=multer'], /--only needs --write or --undo/],
    [['--dry-run'], /--dry-run needs --write or --undo/],
    [['--write', '--only=express'], /--only takes body-parser or multer, not express/]
  ]) {
    it(`refuses ${args.join(' ')}`, () => assert.throws(() => start(args, assert.fail), message))
  }
})
