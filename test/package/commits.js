'use strict'

// .ci/check-commits, which CI runs for a pull request, in a repository of a few commits.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const PROGRAM = path.join(__dirname, '../../.ci/check-commits')
const BODY = '\n\nBecause of it, users had to wait.'

const RIGHT = ['fix: end a body that is cut', 'feat(json-array)!: take lists', `docs: ${'x'.repeat(66)}`]
/** Message -> what is said of it. */
const WRONG = {
  [`docs: ${'x'.repeat(67)}${BODY}`]: 'the subject has 73 characters; at most 72 are allowed',
  [`repair the drain${BODY}`]: /type among feat, fix, perf/,
  [`chore: tidy up${BODY}`]: /type among feat, fix, perf/,
  [`fix: End a body${BODY}`]: /type among feat, fix, perf/,
  [`fix: end a body.${BODY}`]: /type among feat, fix, perf/,
  'fix: end a body that is cut': /^has no body/,
  'fix: sign a body\n\nSigned-off-by: A <a@example.org>': /^has no body/
}

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

  it('takes commits that are right', () => {
    git('switch', '--quiet', '--create', 'right', 'main')
    for (const subject of RIGHT) commit(subject + BODY)
    const { status, stdout } = check('main')
    assert.deepEqual([status, stdout], [0, '3 commits are as they should be\n'])
  })

  it('says what is wrong of each commit since the base, and refuses a merge', () => {
    git('switch', '--quiet', '--create', 'wrong', 'main')
    for (const message of Object.keys(WRONG)) commit(message)
    git('switch', '--quiet', 'main')
    commit('on main, which is not looked at')
    git('switch', '--quiet', 'wrong')
    git('merge', '--quiet', '--no-edit', 'main')
    const { status, stdout } = check('main', 'wrong')
    assert.equal(status, 1)
    const lines = stdout.trim().split('\n')
    for (const [message, complaint] of Object.entries(WRONG)) {
      const [subject] = message.split('\n')
      const [said] = lines.filter((line) => line.slice(line.indexOf(' ') + 1).startsWith(`${subject}: `))
      assert.match(said.slice(said.indexOf(subject) + subject.length + 2), RegExp(complaint), message)
    }
    assert.match(lines.at(-1), /is a merge; rebase the branch instead: git rebase main$/)
    assert.equal(lines.length, Object.keys(WRONG).length + 1)
  })

  it('fails if it cannot find the base', () => assert.equal(check('no-such-branch').status, 2))
})
