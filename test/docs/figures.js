'use strict'

// The figures of the pages: how old they are, and how to print them anew.

const assert = require('node:assert/strict')
const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const {
  changedSince, figures, most, obstacleOf, OLDER, pathsOf, saysOlder, sectionOf, STAMP, stampOf
} = require('../../bench/figures')
const { scripts } = require('../../package.json')

const ROOT = path.join(__dirname, '../..')
const read = (name) => fs.readFileSync(path.join(ROOT, name), 'utf8')

describe('the figures of the pages', () => {
  const obstacle = obstacleOf()

  for (const entry of figures) {
    const { page, section, command, minutes } = entry

    describe(`${page}, ${section}`, () => {
      it('names the command that prints them', () => {
        assert.ok(sectionOf(entry).includes(command), command)
        const [, script] = /^npm run (\S+)/.exec(command) ?? []
        assert.ok(script === undefined ? command.startsWith('npx mocha ') : script in scripts)
      })

      it('measures files that there are', () => {
        for (const name of pathsOf(entry)) assert.ok(fs.existsSync(path.join(ROOT, name)), name)
      })

      if (obstacle !== null) return it(`cannot be dated, as ${obstacle}`)
      it(`says whether more than ${most} % of what they measure has changed since`, () => {
        const { date, commit } = stampOf(entry)
        assert.doesNotMatch(commit, /changed/, 'measured before it was committed')
        const share = changedSince(commit, pathsOf(entry)).toFixed(0)
        const change = `${share} % of what they measure has changed since ${date}`
        const advice = share <= most ? `leave out "${OLDER}"` : `${command} (${minutes} minutes) prints them anew`
        assert.equal(saysOlder(entry), share > most, `${change}: ${advice}`)
      })
    })
  }

  it('are all listed in bench/figures.json', () => {
    const pages = ['README.md', 'SECURITY.md', 'bench', 'docs', 'perf'].flatMap((name) => {
      return name.endsWith('.md') ? [name] : fs.readdirSync(path.join(ROOT, name)).filter((file) => file.endsWith('.md')).map((file) => `${name}/${file}`)
    })
    const dated = pages.flatMap((page) => Array.from(read(page).matchAll(new RegExp(STAMP, 'g')), () => page))
    assert.deepEqual(dated.sort(), figures.map(({ page }) => page).sort())
  })

  it('of README are those of perf/comparisons', () => {
    const [, file] = /--json=(\S+\.json)/.exec(figures.find(({ page }) => page === 'README.md').command)
    const { stdout } = spawnSync(process.execPath, ['perf/gains.js', `--from=${file}`], { cwd: ROOT, encoding: 'utf8' })
    for (const line of stdout.trim().split('\n')) assert.ok(read('README.md').includes(line), line)
  })
})

describe('the share of lines that have changed since a commit', () => {
  const lines = (count, text) => Array.from({ length: count }, (_, i) => `${text}(${i})\n`).join('')
  let folder
  const git = (...args) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, encoding: 'utf8' })
  const write = (name, text) => fs.writeFileSync(path.join(folder, name), text)
  const share = () => changedSince('HEAD', ['lib', 'index.js'], folder)

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'figures-'))
    fs.mkdirSync(path.join(folder, 'lib'))
    write('lib/a.js', `// why\n${lines(80, 'call')}`)
    write('index.js', lines(20, 'main'))
    write('other.js', lines(20, 'other'))
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
  })

  afterEach(() => fs.rmSync(folder, { recursive: true }))

  it('counts lines of code once, whether they are committed or not', () => {
    assert.equal(share(), 0)
    write('index.js', lines(10, 'main') + lines(10, 'changed'))
    assert.equal(share(), 10)
    git('commit', '-qam', 'second')
    assert.equal(changedSince('HEAD~1', ['lib', 'index.js'], folder), 10)
  })

  it('ignores comments, indentation, other files and names', () => {
    write('lib/a.js', `// because\n\n${lines(80, '  call')}`)
    write('other.js', 'other()\n')
    assert.equal(share(), 0)
    git('commit', '-qam', 'second')
    git('mv', 'lib/a.js', 'lib/b.js')
    assert.equal(share(), 0)
  })

  it('counts what is moved to another file once', () => {
    write('lib/a.js', lines(60, 'call'))
    write('index.js', lines(20, 'main') + lines(20, 'moved'))
    assert.equal(share(), 20)
  })

  it('fails for a commit that is not there', () => {
    assert.throws(() => changedSince('1234567', ['lib'], folder), /does not know the commit 1234567/)
  })

  it('cannot be told without the whole history', () => {
    const clone = path.join(folder, 'clone')
    git('commit', '-qm', 'second', '--allow-empty')
    git('clone', '-q', '--depth=1', `file://${folder}`, clone)
    assert.match(obstacleOf(clone), /only a part of the history/)
    assert.match(obstacleOf(os.tmpdir()), /no working tree/)
    assert.equal(obstacleOf(folder), null)
  })
})
