'use strict'

// npx fast-body-parser, in projects that are made of package.json files alone, as each package manager lays them out.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { bin, version } = require('../../package.json')
const shim = require('../../multer/package.json')
const { run } = require('../../bin/doctor/run')

const PROGRAM = path.join(__dirname, '../..', bin['fast-body-parser'])
const ALIAS = `npm:fast-body-parser@~${version}`
const OURS = { name: 'fast-body-parser', version }
const MULTER = `npm:fast-multer@~${shim.version}`

const express5 = { name: 'express', version: '5.1.0', dependencies: { 'body-parser': '^2.2.0' } }
const express4 = { name: 'express', version: '4.21.2', dependencies: { 'body-parser': '1.20.3' } }
const parser2 = { name: 'body-parser', version: '2.2.0' }
const parser1 = { name: 'body-parser', version: '1.20.3' }
const multer2 = { name: 'multer', version: '2.0.2' }
const jsonServer = {
  name: 'json-server',
  version: '0.17.4',
  dependencies: { express: '^4.18.2', 'body-parser': '^1.19.0' }
}
const nest = {
  name: '@nestjs/platform-express',
  version: '11.1.0',
  dependencies: { express: '5.1.0', multer: '2.0.2' },
  peerDependencies: { '@nestjs/common': '^11.0.0' }
}
const modules = (packages, folder = 'node_modules') =>
  Object.fromEntries(Object.entries(packages).map(([name, manifest]) => [`${folder}/${name}`, manifest]))
const fourBesideFive = {
  ...modules({ express: express5, 'json-server': jsonServer }),
  ...modules({ express: express4, 'body-parser': parser1 }, 'node_modules/json-server/node_modules')
}
const manifest = (name, dependencies, fields) => ({ name, version: '1.0.0', dependencies, ...fields })
const app = (fields) => ({ name: 'app', version: '1.0.0', ...fields })
const replacing = (dependencies, fields) => app({ dependencies: { ...dependencies, 'body-parser': ALIAS }, ...fields })
const overrides = { 'body-parser@2': '$body-parser' }

const REPLACED = ['app', 'express'].map((host) => `${host} -> fast-body-parser ${version}: replaced`)
/** What `fourBesideFive` has, by what becomes of the Express of json-server. */
const besideFive = (status) => [
  ['express in node_modules/json-server/node_modules/express', status],
  ['json-server', 'as declared']
].map(([host, status]) => `${host} -> body-parser 1.20.3 in node_modules/json-server/node_modules/body-parser: ${status}`)

/**
 * [title, files: package.json of a folder, text of a file or `-> target`; lines of uses, what else the report has].
 * A line of uses: package that depends on it -> what it gets: status. Places are named if they are others than the root
 * and a folder of node_modules that has the name of the package.
 */
const rows = [
  ['Express 5 whose body-parser npm replaced', {
    '.': replacing({ express: '^5' }, { overrides }),
    ...modules({ express: express5, 'body-parser': OURS })
  }, REPLACED, {
    advice: [],
    expect: {
      '--expect': '',
      '--expect=body-parser': '',
      '--expect=body-parser@2': '',
      '--expect=body-parser@1': 'nothing here uses body-parser 1',
      '--expect=body-parser,multer': 'nothing here uses multer'
    }
  }],
  ['a copy that npm has kept', {
    '.': replacing({ express: '^5' }, { overrides: { express: { 'body-parser': '$body-parser' } } }),
    'node_modules/express': express5,
    'node_modules/express/node_modules/body-parser': parser2,
    'node_modules/body-parser': OURS
  }, [
    `app -> fast-body-parser ${version}: replaced`,
    'express -> body-parser 2.2.0 in node_modules/express/node_modules/body-parser: not replaced'
  ], {
    advice: ['has not taken effect on node_modules/express/node_modules/body-parser'],
    expect: { '--expect': 'express 5.1.0 gets body-parser 2.2.0, not fast-body-parser' }
  }],
  ['an override that has a version of body-parser\'s own', {
    '.': app({ dependencies: { express: '^5' }, overrides: { 'body-parser': '2.2.0', express: { '.': '5.1.0' } } }),
    ...modules({ express: express5, 'body-parser': parser2 })
  }, ['express -> body-parser 2.2.0: as declared'], {
    expect: { '--expect': 'nothing asks for a replacement' }
  }],
  ['Express 4 beside Express 5', {
    '.': replacing({ express: '^5', 'json-server': '^0.17.4' }, { overrides }),
    ...fourBesideFive,
    'node_modules/body-parser': OURS
  }, [...REPLACED, ...besideFive('as declared')], {
    advice: ['such as Express 4, keeps it'],
    expect: {
      '--expect': '',
      '--expect=body-parser@2': '',
      '--expect=body-parser': 'express 4.21.2 gets body-parser 1.20.3'
    }
  }],
  ['Express 4', {
    '.': app({ dependencies: { express: '^4' } }),
    ...modules({ express: express4, 'body-parser': parser1 })
  }, ['express -> body-parser 1.20.3: as declared'], {
    advice: ['"body-parser": "$body-parser"', 'under-express.md#how-do-i-put-it-under-express-4']
  }],
  ['packages that take any version, a range of two, and one that is not for them', {
    '.': replacing({ any: '1', both: '1', old: '1' }, { overrides, optionalDependencies: { multer: '^2' } }),
    'node_modules/any': manifest('any', { 'body-parser': '>=1.19' }),
    'node_modules/both': manifest('both', undefined, { peerDependencies: { 'body-parser': '^1.20.0 || ^2.0.0' } }),
    'node_modules/old': manifest('old', { 'body-parser': '~1.20.0' }),
    'node_modules/body-parser': parser1
  }, [
    'app -> body-parser 1.20.3: not replaced',
    'any -> body-parser 1.20.3: not replaced',
    'both -> body-parser 1.20.3: not replaced',
    'old -> body-parser 1.20.3: as declared'
  ]],
  ['NestJS', {
    '.': app({ dependencies: { '@nestjs/platform-express': '^11' } }),
    'package-lock.json': '{}',
    ...modules({ '@nestjs/platform-express': nest, express: express5, 'body-parser': parser2, multer: multer2 })
  }, [
    'express -> body-parser 2.2.0: as declared',
    '@nestjs/platform-express -> multer 2.0.2: as declared'
  ], {
    advice: ['"body-parser": "' + ALIAS, '"body-parser@2": "$body-parser"', '"multer": "' + MULTER,
      '"multer@2": "$multer"', 'npm install'],
    expect: {
      '--expect': 'nothing asks for a replacement',
      '--expect=body-parser': 'express 5.1.0 gets body-parser 2.2.0'
    }
  }],
  ['a multer of ours that has lost fast-body-parser', {
    '.': app({ dependencies: { '@nestjs/platform-express': '^11' }, overrides: { multer: 'file:./shim' } }),
    shim: { ...shim, private: undefined },
    'node_modules/@nestjs/platform-express': nest,
    'node_modules/multer': '-> shim'
  }, ['@nestjs/platform-express -> fast-multer 2.5.100 in shim: broken'], {
    expect: { '--expect': '@nestjs/platform-express 11.1.0 gets shim, which finds no fast-body-parser' }
  }],
  ['Koa', {
    '.': app({ dependencies: { '@koa/multer': '^4', 'koa-bodyparser': '^4' } }),
    'node_modules/@koa/multer': { name: '@koa/multer', version: '4.0.0', peerDependencies: { multer: '*' } },
    'node_modules/koa-bodyparser': { name: 'koa-bodyparser', version: '4.4.1', dependencies: { 'co-body': '^6.0.0' } },
    'node_modules/co-body': { name: 'co-body', version: '6.2.0' }
  }, [
    '@koa/multer -> nothing: missing',
    'koa-bodyparser -> co-body 6.2.0: as declared'
  ], {
    advice: ['docs/migrating.md#koa-bodyparser'],
    expect: { '--expect=multer': '@koa/multer 4.0.0 finds no multer' }
  }],
  ['pnpm 10', {
    '.': replacing({ express: '^5' },
      { packageManager: 'pnpm@10.2.0', pnpm: { overrides: { 'express@5>body-parser': ALIAS } } }),
    'node_modules/express': '-> node_modules/.pnpm/express@5.1.0/node_modules/express',
    'node_modules/body-parser': '-> node_modules/.pnpm/fast-body-parser@2/node_modules/fast-body-parser',
    'node_modules/.pnpm/express@5.1.0/node_modules/express': express5,
    'node_modules/.pnpm/express@5.1.0/node_modules/body-parser':
      '-> node_modules/.pnpm/fast-body-parser@2/node_modules/fast-body-parser',
    'node_modules/.pnpm/fast-body-parser@2/node_modules/fast-body-parser': OURS
  }, [
    `app -> fast-body-parser ${version} in node_modules/.pnpm/fast-body-parser@2/node_modules/fast-body-parser: replaced`,
    `express in node_modules/.pnpm/express@5.1.0/node_modules/express -> fast-body-parser ${version} in node_modules/.pnpm/fast-body-parser@2/node_modules/fast-body-parser: replaced`
  ], { expect: { '--expect': '', '--expect=body-parser': '' } }],
  ['pnpm 12, which does not read package.json', {
    '.': app({ dependencies: { express: '^5' }, pnpm: { overrides: { 'body-parser@2': ALIAS } } }),
    'pnpm-lock.yaml': 'lockfileVersion: 9',
    'node_modules/.modules.yaml': '{"packageManager":"pnpm@12.0.1"}',
    ...modules({ express: express5, 'body-parser': parser2 })
  }, ['express -> body-parser 2.2.0: as declared'], {
    advice: ['pnpm-workspace.yaml', 'overrides:\n  "body-parser@2": ' + ALIAS],
    misplaced: ['package.json, pnpm.overrides: body-parser is not replaced by it, as pnpm 12 reads not this ' +
      'field but pnpm-workspace.yaml']
  }],
  ['pnpm-workspace.yaml', {
    '.': app({ dependencies: { '@nestjs/platform-express': '^11', multer: MULTER } }),
    'pnpm-workspace.yaml': `# comment\npackages:\n  - '.'\n  - "apps/*" # all\nonlyBuiltDependencies: ` +
      `[]\noverrides:\n  "multer@2": '${MULTER}'\n  express: 5.1.0\n`,
    'apps/api': manifest('api', { multer: '^2' }),
    ...modules({ '@nestjs/platform-express': nest, 'fast-body-parser': OURS, multer: shim }),
    'apps/api/node_modules/multer': multer2
  }, [
    'api in apps/api -> multer 2.0.2 in apps/api/node_modules/multer: not replaced',
    `app -> fast-multer ${shim.version}: replaced`,
    `@nestjs/platform-express -> fast-multer ${shim.version}: replaced`
  ], { expect: { '--expect': 'api 1.0.0 gets multer 2.0.2' }, advice: ['pnpm install'] }],
  ['Yarn 1, whose resolution is for the Express of the root, and not for that of NestJS', {
    '.': replacing({ express: '^5', '@nestjs/platform-express': '^11' },
      { resolutions: { 'express/body-parser': ALIAS } }),
    'yarn.lock': '# yarn lockfile v1\n',
    'node_modules/express': express5,
    'node_modules/@nestjs/platform-express': { ...nest, dependencies: { express: '5.1.0' } },
    'node_modules/@nestjs/platform-express/node_modules/express': express5,
    'node_modules/@nestjs/platform-express/node_modules/body-parser': parser2,
    'node_modules/body-parser': OURS
  }, [
    `app -> fast-body-parser ${version}: replaced`,
    'express in node_modules/@nestjs/platform-express/node_modules/express -> body-parser 2.2.0 in node_modules/@nestjs/platform-express/node_modules/body-parser: as declared',
    `express -> fast-body-parser ${version}: replaced`
  ], {
    advice: [`"**/@nestjs/platform-express/express/body-parser": "${ALIAS}"`],
    expect: { '--expect': '', '--expect=body-parser': 'express 5.1.0 gets body-parser 2.2.0' }
  }],
  ['Yarn 1, with a resolution for the Express of one package', {
    '.': app({
      dependencies: { 'json-server': '^0.17.4', other: '1' },
      resolutions: { '**/json-server/express/body-parser': ALIAS }
    }),
    'yarn.lock': '# yarn lockfile v1\n',
    ...fourBesideFive,
    'node_modules/other': manifest('other', { express: '^5' }),
    'node_modules/body-parser': parser2
  }, [
    'express -> body-parser 2.2.0: as declared',
    ...besideFive('not replaced')
  ], { advice: ['"**/express/body-parser"'] }],
  ['Yarn 4, whose resolution is for every Express', {
    '.': replacing({ express: '^5', 'json-server': '^0.17.4' }, { resolutions: { 'express/body-parser': ALIAS } }),
    'yarn.lock': '__metadata:\n  version: 8\n',
    ...fourBesideFive,
    'node_modules/body-parser': OURS
  }, [...REPLACED, ...besideFive('not replaced')], {
    expect: { '--expect': 'express 4.21.2 gets body-parser 1.20.3' },
    advice: ['remove node_modules and yarn.lock']
  }],
  ['Yarn, where overrides are npm\'s', {
    '.': replacing({ '@nestjs/platform-express': '^11' },
      { overrides, resolutions: { '**/@nestjs/platform-express/multer': MULTER } }),
    'yarn.lock': '# yarn lockfile v1\n',
    ...modules({ '@nestjs/platform-express': nest, express: express5 }),
    'node_modules/express/node_modules/body-parser': parser2,
    ...modules({ 'body-parser': OURS, multer: multer2 })
  }, [
    `app -> fast-body-parser ${version}: replaced`,
    'express -> body-parser 2.2.0 in node_modules/express/node_modules/body-parser: as declared',
    '@nestjs/platform-express -> multer 2.0.2: not replaced'
  ], {
    advice: ['"**/express/body-parser": "' + ALIAS, 'resolutions'],
    misplaced: ['package.json, overrides: body-parser is not replaced by it, as yarn 1 reads not this field but ' +
      'resolutions']
  }],
  ['two copies', {
    '.': replacing({ express: '^5', 'fast-body-parser': `~${version}` }, { overrides }),
    ...modules({ express: express5, 'body-parser': OURS }),
    'node_modules/fast-body-parser': { ...OURS, version: '2.4.101' }
  }, [
    ...REPLACED,
    'app -> fast-body-parser 2.4.101: direct'
  ], {
    copies: {
      'fast-body-parser': [
        { place: 'node_modules/body-parser', version },
        { place: 'node_modules/fast-body-parser', version: '2.4.101' }
      ]
    }
  }],
  ['a tarball in the folder', {
    '.': app({ dependencies: { express: '^5', multer: '^2' } }),
    [`fast-body-parser-${version}.tgz`]: '',
    [`fast-multer-${shim.version}.tgz`]: '',
    ...modules({ express: express5, 'body-parser': parser2, multer: multer2 })
  }, [
    'express -> body-parser 2.2.0: as declared',
    'app -> multer 2.0.2: as declared'
  ], {
    advice: [`"body-parser": "file:fast-body-parser-${version}.tgz"`,
      `"multer": "file:fast-multer-${shim.version}.tgz"`,
      `"fast-body-parser": "file:fast-body-parser-${version}.tgz"`]
  }],
  ['NestJS whose multer is replaced by a tarball', {
    '.': app({
      dependencies: { '@nestjs/platform-express': '^11', multer: 'file:vendor/uploads.tgz' },
      overrides: { 'multer@2': '$multer' }
    }),
    ...modules({ '@nestjs/platform-express': nest, 'fast-body-parser': OURS }),
    'node_modules/multer': { ...shim, name: '@a-company/multer' }
  }, [
    `app -> @a-company/multer ${shim.version}: replaced`,
    `@nestjs/platform-express -> @a-company/multer ${shim.version}: replaced`
  ], { expect: { '--expect': '', '--expect=multer': '', '--expect=multer@2': '' } }],
  ['a company\'s own multer, which is not this package', {
    '.': app({
      dependencies: { '@nestjs/platform-express': '^11', multer: 'npm:@a-company/multer@^2' },
      overrides: { 'multer@2': '$multer' }
    }),
    'node_modules/@nestjs/platform-express': nest,
    'node_modules/multer': { name: '@a-company/multer', version: '2.0.3' }
  }, [
    'app -> @a-company/multer 2.0.3: as declared',
    '@nestjs/platform-express -> @a-company/multer 2.0.3: as declared'
  ], { expect: { '--expect': 'nothing asks for a replacement' } }],
  ['Express 4 with an override for body-parser 2', {
    '.': replacing({ express: '^4' }, { overrides }),
    'node_modules/express': express4,
    'node_modules/express/node_modules/body-parser': parser1,
    'node_modules/body-parser': OURS
  }, [
    `app -> fast-body-parser ${version}: replaced`,
    'express -> body-parser 1.20.3 in node_modules/express/node_modules/body-parser: as declared'
  ], {
    advice: ['such as Express 4, keeps it'],
    expect: { '--expect': 'express 4.21.2 gets body-parser 1.20.3: the override for body-parser@2 does not reach it' }
  }],
  ['workspaces, one of which has overrides of its own', {
    '.': app({ workspaces: ['apps/*', 'deep/**', '!apps/old'] }),
    'apps/api': manifest('api', { express: '^5' }, { overrides: { 'body-parser@2': ALIAS } }),
    'apps/old': manifest('old', { multer: '2' }),
    'deep/one/two': manifest('two', { 'fast-body-parser': '*' }),
    ...modules({ 'fast-body-parser': OURS, express: express5, 'body-parser': parser2 })
  }, ['express -> body-parser 2.2.0: as declared', `two in deep/one/two -> fast-body-parser ${version}: direct`], {
    from: 'apps/api',
    misplaced: ['apps/api/package.json, overrides: body-parser is not replaced by it, as npm reads of the root alone']
  }],
  ["workspaces by npm's patterns", {
    '.': app({ workspaces: ['{apps,tools}/*', 'libs/?', 'more/[w]*/', '!apps/old', './own/@(x|y)'] }),
    'apps/api': manifest('api', { multer: '2' }),
    'apps/old': manifest('old', { multer: '2' }),
    'libs/a': manifest('lib-a', { multer: '2' }),
    'libs/ab': manifest('lib-ab', { multer: '2' }),
    'more/web': manifest('web', undefined, { devDependencies: { multer: '2' } }),
    'own/x': manifest('x', { multer: '2' }),
    'own/z': manifest('z', { multer: '2' }),
    'tools/deep/er': manifest('er', { multer: '2' }),
    ...modules({ multer: multer2 })
  }, ['api in apps/api', 'lib-a in libs/a', 'web in more/web', 'x in own/x'].map((host) =>
    `${host} -> multer 2.0.2: as declared`), { needsGlob: true }],
  ['pnpm whose lists and keys are written in another way', {
    '.': app({}),
    'pnpm-workspace.yaml': `packages: ['apps/*', "libs/*"] # ours\n'overrides': { "body-parser@2": '${ALIAS}', a: 1 }\n`,
    'apps/api': manifest('api', { express: '^5' }),
    'libs/own': manifest('own', { multer: 'catalog:' }),
    ...modules({ express: express5, multer: multer2, 'body-parser': OURS })
  }, [
    `express -> fast-body-parser ${version}: replaced`,
    'own in libs/own -> multer 2.0.2: as declared'
  ], { expect: { '--expect': '' } }],
  ['a manifest with a byte order mark, and names that objects have or a terminal would follow', {
    'package.json': `\uFEFF${JSON.stringify(app({
      dependencies: { odd: '1', even: '1' },
      packageManager: 'constructor@1.0.0',
      version: 5
    }))}`,
    'node_modules/even': { name: 'even\nNot as it should be', version: null, dependencies: { multer: '2' } },
    'node_modules/even/node_modules/multer': manifest('constructor'),
    'node_modules/odd': { name: '\u001B[31modd', version: null, dependencies: { multer: 2 } },
    'node_modules/multer': multer2
  }, [
    '\u001B[31modd in node_modules/odd -> multer 2.0.2: as declared',
    'even Not as it should be in node_modules/even -> constructor 1.0.0 in node_modules/even/node_modules/multer: as declared'
  ], { expect: { '--expect=multer': '\\u001b[31modd' } }],
  ['multer 1', {
    '.': app({ dependencies: { multer: '^1.4.4' } }),
    'node_modules/multer': { name: 'multer', version: '1.4.4' }
  }, ['app -> multer 1.4.4: as declared'], { advice: ['Update what uses it'] }],
  ['nothing that is installed', {
    '.': app({ dependencies: { express: '^5', 'body-parser': '^2' } })
  }, ['app -> nothing: missing'], { expect: { '--expect=body-parser': 'app 1.0.0 finds no body-parser' } }],
  ['a circle of packages, and a package.json that cannot be read', {
    '.': app({ dependencies: { one: '1', broken: '1' } }),
    'node_modules/one': manifest('one', { two: '1' }),
    'node_modules/two': manifest('two', { one: '1', multer: '2' }),
    'node_modules/broken/package.json': '{',
    'node_modules/multer': multer2
  }, ['two -> multer 2.0.2: as declared']]
]

function lineOf ({ host, got, parser, status }) {
  const whereIs = (place, name) => ['.', `node_modules/${name}`].includes(place) ? '' : ` in ${place}`
  const found = got === null ? 'nothing' : `${got.name} ${got.version}${whereIs(got.place, parser)}`
  return `${host.name}${whereIs(host.place, host.name)} -> ${found}: ${status}`
}

describe('npx fast-body-parser', () => {
  const folders = []

  after(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })))

  /** @returns {string} the folder of a new project */
  function create (files) {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'doctor-')))
    folders.push(folder)
    for (const [name, content] of Object.entries(files)) {
      const isLink = String(content).startsWith('-> ')
      const place = path.join(folder, name, typeof content === 'string' ? '' : 'package.json')
      fs.mkdirSync(path.dirname(place), { recursive: true })
      if (isLink) fs.symlinkSync(path.join(folder, content.slice(3)), place, 'junction')
      else fs.writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content))
    }
    return folder
  }

  /** In a process of its own. */
  const start = (cwd, ...args) => spawnSync(process.execPath, [PROGRAM, ...args], { cwd, encoding: 'utf8' })

  for (const [title, files, uses, { from = '', advice, copies, misplaced = [], expect = {}, needsGlob } = {}] of rows) {
    it(`tells what is used in a project of ${title}`, () => {
      const folder = create(files)
      const place = path.join(folder, from)
      if (needsGlob && path.posix.matchesGlob === undefined) {
        return assert.throws(() => run(['--json'], place), /needs Node\.js 20\.17, 22\.5 or newer/)
      }
      const { status, text } = run(['--json'], place)
      assert.equal(status, 0)
      const report = JSON.parse(text)
      assert.equal(report.root, folder)
      assert.deepEqual(report.uses.map(lineOf), uses)
      assert.deepEqual(report.misplaced, misplaced)
      if (copies !== undefined) assert.deepEqual(report.copies, copies)
      if (advice?.length === 0) assert.deepEqual(report.advice, [])
      for (const text of advice ?? []) assert.ok(report.advice.join('\n').includes(text), report.advice.join('\n'))

      for (const [option, fault] of Object.entries(expect)) {
        const { status, text } = run([option], folder)
        assert.equal(status, fault === '' ? 0 : 1, option)
        assert.ok(text.includes(fault), text)
        assert.equal(text.includes('Not as it should be'), fault !== '')
      }
    })
  }

  it('prints tables, what is wrong, and what to write', () => {
    const folder = create(rows.find(([title]) => title === 'two copies')[1])
    const { status, stdout } = start(folder, '--expect=body-parser,multer')
    assert.equal(status, 1)
    assert.equal(stdout, `fast-body-parser ${version}: ${folder}, by npm

body-parser (Express, NestJS)
  replaced  app 1.0.0 (this project)  fast-body-parser ${version}  node_modules/body-parser
  replaced  express 5.1.0             fast-body-parser ${version}  node_modules/body-parser

fast-body-parser by its own name
  direct  app 1.0.0 (this project)  fast-body-parser 2.4.101  node_modules/fast-body-parser

Notes
  2 copies of fast-body-parser: ${version} in node_modules/body-parser, 2.4.101 in node_modules/fast-body-parser

Not as it should be
  nothing here uses multer
`)
  })

  for (const [what, files, expected, ...args] of [
    ['tells how many workspaces there are', {
      '.': app({ workspaces: ['apps/*'] }),
      'apps/api': manifest('api', { multer: '2' }),
      ...modules({ multer: multer2 })
    }, /, by npm, with 1 workspaces\n/],
    ['says that nothing depends on a parser', { '.': app({}) }, /Nothing here depends on body-parser/],
    ...['dependencies', 'devDependencies'].map((kind) => [
      `says that it knows nothing before ${kind} are installed`,
      { '.': app({ [kind]: { express: '^5' } }) },
      /Dependencies are missing: run `npm install` first/
    ]),
    ['explains itself', {}, /^Usage: [^]*folder[^]*--expect[^]*--json[^]*--help/, '--help']
  ]) {
    it(what, () => {
      const { status, text } = run(args, create(files))
      assert.equal(status, 0)
      assert.match(text, expected)
    })
  }

  it('exits with 2 for what it does not know', () => {
    const { status, stdout, stderr } = start(create({ 'package.json': '{}' }), '--expcet')
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, /Unknown option '--expcet'/)
  })

  for (const [args, message, files = { 'package.json': '{}' }] of [
    [['--expect=express'], /--expect takes body-parser and multer.*; not express/],
    [['--expect=body-parser@^2'], /--expect takes body-parser and multer/],
    [['one', 'two'], /one folder at a time, not one two/],
    [[path.parse(os.tmpdir()).root], /no package\.json in .* or above it/],
    [['no-such-folder'], /no-such-folder/],
    [[], /package\.json is null, where package managers expect an object/, { 'package.json': 'null' }],
    [[], /package\.json/, { 'package.json': '{' }],
    [[], /workspaces of .* is 5, where npm expects a list of patterns/, { '.': { workspaces: 5 } }],
    [[], /workspaces of .* is \[5\], where npm expects/, { '.': { workspaces: { packages: [5] } } }],
    [[], /run `yarn dlx fast-body-parser`/, { '.': app({ dependencies: { express: '^5' } }), '.pnp.cjs/x': '' }]
  ]) {
    it(`refuses ${args.join(' ') || JSON.stringify(files)}`, () => {
      assert.throws(() => run(args, create(files)), message)
    })
  }
})
