'use strict'

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const yaml = require('js-yaml')
const { after, before, beforeEach, describe, it } = require('mocha')

const ACTION = path.join(__dirname, '../../../.github/actions/compare-load')
const { steps } = yaml.load(fs.readFileSync(path.join(ACTION, 'action.yml'), 'utf8')).runs
const MARKER = '<!-- compare-load: Load test -->'

describe('.github/actions/compare-load', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compare-load-'))
  const file = (name) => path.join(folder, name)
  let server, comments, changes, status

  before((done) => {
    fs.writeFileSync(file('load.md'), '**A faster**\n')
    server = http.createServer(async (req, res) => {
      const text = Buffer.concat(await req.toArray()).toString()
      const { pathname, searchParams } = new URL(req.url, 'http://localhost')
      if (req.method !== 'GET') changes.push([req.method, pathname, JSON.parse(text).body])
      const page = Number(searchParams.get('page'))
      const answer = req.method === 'GET' ? comments.slice((page - 1) * 100, page * 100) : {}
      res.writeHead(status)
      res.end(JSON.stringify(answer))
    }).listen(0, '127.0.0.1', done)
  })

  beforeEach(() => {
    comments = []
    changes = []
    status = 200
    fs.writeFileSync(file('event.json'), '{"pull_request":{"number":7}}')
  })

  after((done) => {
    fs.rmSync(folder, { recursive: true })
    server.close(done)
  })

  /** Runs a step as a runner does. */
  function runStep (name) {
    const env = {
      ...process.env,
      GITHUB_ACTION_PATH: ACTION,
      GITHUB_API_URL: `http://127.0.0.1:${server.address().port}`,
      GITHUB_EVENT_PATH: file('event.json'),
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_STEP_SUMMARY: file('summary.md'),
      FOLDER: folder,
      TITLE: 'Load test',
      TOKEN: 't'
    }
    const { run } = steps.find((step) => step.name === name)
    return new Promise((resolve) => {
      execFile('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], { env }, (error, stdout) => {
        resolve({ code: error?.code ?? 0, stdout })
      })
    })
  }

  it('adds the comparison to the summary of the job', async () => {
    assert.deepEqual(await runStep('Summary'), { code: 0, stdout: '' })
    assert.equal(fs.readFileSync(file('summary.md'), 'utf8'), '## Load test\n\n**A faster**\n')
  })

  it('comments on a pull request that has no such comment', async () => {
    comments = [{ id: 1, body: `${MARKER} quoted by a person`, user: { type: 'User' } }]
    assert.deepEqual(await runStep('Comment'), { code: 0, stdout: '' })
    const body = `${MARKER}\n## Load test\n\n**A faster**\n`
    assert.deepEqual(changes, [['POST', '/repos/o/r/issues/7/comments', body]])
  })

  it('updates the comment of an earlier run, also where it is not among the first hundred', async () => {
    const others = Array.from({ length: 100 }, (_, id) => ({ id, body: 'other', user: { type: 'Bot' } }))
    comments = [...others, { id: 200, body: `${MARKER}\nold`, user: { type: 'Bot' } }]
    assert.deepEqual(await runStep('Comment'), { code: 0, stdout: '' })
    assert.deepEqual(changes.map(([method, path]) => [method, path]), [['PATCH', '/repos/o/r/issues/comments/200']])
  })

  it('does not fail where the token may not comment', async () => {
    status = 403
    const { code, stdout } = await runStep('Comment')
    assert.deepEqual([code, stdout], [0, '::notice::The token may not comment on this pull request.\n'])
  })

  it('does not comment outside of pull requests', async () => {
    fs.writeFileSync(file('event.json'), '{}')
    assert.match((await runStep('Comment')).stdout, /^::notice::This is not the run of a pull request/)
    assert.deepEqual(changes, [])
  })

  it('fails with what the server said after any other error', async () => {
    status = 422
    const { code, stdout } = await runStep('Comment')
    assert.equal(code, 1)
    assert.match(stdout, /^::error::.*: 422 /)
  })
})
