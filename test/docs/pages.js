'use strict'

// The pages for users and contributors: links, code blocks, commands.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { existsSync, readdirSync } = require('node:fs')
const path = require('node:path')
const manifest = require('../../package.json')
const createText = require('../../tools/llms')
const { ROOT, anchorsOf, blocksOf, read } = require('../support/pages')

const inDocs = readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
const pages = ['README.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'HISTORY.md', 'SECURITY.md', ...inDocs]

const MIGRATION = 'test/integration/first-steps/migration.js'

/** Who runs the programs of a page; the fragments of the others are run here. */
const RUN_BY = {
  'README.md': 'test/integration/first-steps/readme.js',
  'docs/deployment.md': 'test/integration/frameworks/deployment.js',
  'docs/frameworks.md': 'test/integration/frameworks/programs.js',
  'docs/migrating.md': MIGRATION,
  'docs/nestjs.md': 'test/integration/first-steps/multer.js',
  'docs/troubleshooting.md': 'test/integration/frameworks/programs.js',
  'docs/under-express.md': MIGRATION
}
/** [page, code] of programs that no other test runs */
const fragments = []

describe('pages', () => {
  it('are all in the table of contents', () => {
    const contents = read('docs/README.md')
    for (const name of pages.filter((name) => name.startsWith('docs/') && name !== 'docs/README.md')) {
      assert.match(contents, new RegExp(`\\(${path.basename(name)}[)#]`), name)
    }
  })

  it('are listed in llms.txt, which `node tools/llms.js` writes', () => {
    assert.equal(read('llms.txt'), createText(), 'run `node tools/llms.js`')
  })

  it('README.md has at most 1,350 words', () => {
    const words = read('README.md').split(/\s+/).filter(Boolean)
    assert.ok(words.length <= 1350, String(words.length))
  })

  it('HISTORY.md begins with the version of package.json', () => {
    const [, version] = /^# (?:Unreleased: )?(\S+)(?: \/ \d{4}-\d\d-\d\d)?\n/.exec(read('HISTORY.md'))
    assert.equal(version, manifest.version)
  })

  for (const name of pages) {
    describe(name, () => {
      const text = read(name)
      const blocks = blocksOf(text)

      if (name !== 'HISTORY.md') {
        it('has paragraphs of at most 900 characters', () => {
          const isProse = (line) => !line.startsWith('|')
          const prose = text.replace(/^```[^]*?^```$/gm, '').split('\n').filter(isProse)
          assert.deepEqual(prose.filter((line) => line.length > 900), [])
        })
      }

      it('has links that lead somewhere', () => {
        for (const [, target] of text.matchAll(/\]\((?!https:)(.*?)\)/g)) {
          const [file, slug] = target.split('#')
          const place = file === '' ? name : path.posix.join(path.posix.dirname(name), file)
          assert.ok(existsSync(path.join(ROOT, place)), target)
          if (slug !== undefined) assert.ok(anchorsOf(read(place)).includes(slug), target)
        }
      })

      it('has code blocks of languages that are checked', () => {
        assert.equal(text.match(/^```/gm)?.length ?? 0, blocks.length * 2)
        for (const { language } of blocks) {
          assert.match(language, /^(js( before| after| both)?|json|mermaid|nginx|sh|text|ts|yaml)$/)
        }
      })

      it('names scripts and files that there are', () => {
        for (const [, script, short] of text.matchAll(/\bnpm (?:run (?:-s )?([\w:]+)|(test|start)\b)/g)) {
          assert.notEqual(manifest.scripts[script ?? short], undefined, script ?? short)
        }
        const files = /(?<![\w/.-])((?:test|bench|perf|examples|reliability)\/[\w/-]+\.(?:js|json|ts|md))\b/g
        for (const [, file] of text.matchAll(files)) {
          assert.ok(existsSync(path.join(ROOT, file)), file)
        }
      })

      it('has JSON that is valid', () => {
        for (const { code } of blocks.filter(({ language }) => language === 'json')) JSON.parse(code)
      })

      const programs = blocks.filter(({ language }) => language.startsWith('js'))
      if (programs.length === 0) return
      if (RUN_BY[name] !== undefined) {
        it(`has programs that ${RUN_BY[name]} runs`, () => {
          assert.match(read(RUN_BY[name]), new RegExp(path.basename(name)))
        })
        return
      }

      for (const { code } of programs) {
        const [, excerpt] = /^\/\/ (\S+\.js)\n/.exec(code) ?? []
        if (excerpt === undefined) fragments.push([name, code])
        else {
          it(`shows what ${excerpt} has`, () =>
            assert.ok(read(excerpt).includes(code.slice(code.indexOf('\n') + 1))))
        }
      }
    })
  }

  it('have fragments that run', () => runFragments())
})

/** In a process of their own, one after another, each with what it takes for granted. */
function runFragments () {
  assert.ok(fragments.length > 10, `${fragments.length} fragments`)
  const program = fragments.map(([name, code]) => `page = '${name}'
  {
    const app = require('express')()
    const bodyParser = require('fast-body-parser')
    const readFile = async () => Buffer.from('{}')
    const signal = undefined
    { ${code} }
  }`).join('\n')
  const options = { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: '' } }
  const script = `let page
    (async () => {\n${program}\n})().catch((error) => { throw new Error(page, { cause: error }) })`
  const { status, stderr } = spawnSync(process.execPath, ['--eval', script], options)
  assert.equal(status, 0, stderr)
}
