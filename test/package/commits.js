'use strict'

// .ci/check-commits, which CI runs for a pull request, in a repository of a few commits.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const PROGRAM = path.join(__dirname, '../../.ci/check-commits')
const BODY = 'Because of it, users had to wait.'

/** [title, message, what is said of it; nothing if it is right] */
const rows = [
  ['a subject and a body', `fix: end a body that is cut\n\n${BODY}`],
  ['a scope, and a change that breaks', `feat(json-array)!: take lists\n\n${BODY}`],
  ['72 characters', `docs: ${'x'.repeat(66)}\n\n${BODY}`],
  ['73 characters', `docs: ${'x'.repeat(67)}\n\n${BODY}`, /73 characters; at most 72/],
  ['no type', `repair the drain\n\n${BODY}`, /type among feat, fix, perf/],
  ['a type that there is not', `chore: tidy up\n\n${BODY}`, /type among feat, fix, perf/],
  ['a subject that is a sentence', `fix: End a body.\n\n${BODY}`, /type among feat, fix, perf/],
  ['no body', 'fix: end a body that is cut', /has no body/],
  ['a trailer for a body', 'fix: end a body that is cut\n\nSigned-off-by: A <a@example.org>', /has no body/]
]

describe('.ci/check-commits', function () {
  if (process.platform === 'win32') return

  let folder

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'commits-'))
    git('init', '--quiet', '--initial-branch=main')
    commit('anything at all')
  })

  after(() => fs.rmSync(folder, { recursive: true, force: true }))

  function git (...args) {
    const own = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false', '-c',
      'core.hooksPath=/dev/null']
    const { status, stderr } = spawnSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }

  const commit = (message) => git('commit', '--quiet', '--allow-empty', '--message', message)
  const check = (...args) => spawnSync('bash', [PROGRAM, ...args], { cwd: folder, encoding: 'utf8' })

  for (const [i, [title, message, complaint]] of rows.entries()) {
    it(`${complaint === undefined ? 'takes' : 'refuses'} a commit with ${title}`, () => {
      git('switch', '--quiet', '--create', `branch-${i}`, 'main')
      commit(message)
      const { status, stdout } = check('main')
      assert.equal(status, complaint === undefined ? 0 : 1, stdout)
      assert.match(stdout, complaint ?? /^1 commits are as they should be/)
    })
  }

  it('refuses a merge, and names every commit that is wrong', () => {
    git('switch', '--quiet', '--create', 'branch', 'main')
    commit('wrong')
    git('switch', '--quiet', 'main')
    commit('on main, which is not looked at')
    git('switch', '--quiet', 'branch')
    git('merge', '--quiet', '--no-edit', 'main')
    const { status, stdout } = check('main', 'branch')
    assert.equal(status, 1)
    assert.match(stdout, /wrong: has no body/)
    assert.match(stdout, /is a merge; rebase the branch instead: git rebase main/)
    assert.doesNotMatch(stdout, /on main/)
  })

  it('fails if it cannot find the base', () => assert.equal(check('no-such-branch').status, 2))
})
