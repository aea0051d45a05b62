'use strict'

// The README's snippets, taken from it and run as they are.

const assert = require('node:assert/strict')
const path = require('node:path')
const { blocksOf, read } = require('../../support/pages')
const blockOf = require('../support/blocks')
const { serve } = require('../support/program')
const { INSTALL_TIME, ROOT, createFolder, place, remove, run, write } = require('../support/project')

const readme = read('README.md')

const [, alone] = /For your own code only, it is `(npm install \.\/.*?)`/.exec(readme)

const { npm_config_local_prefix: _, ...inherited } = process.env // the folder that an outer `npm run` works in
const env = { ...inherited, npm_config_audit: 'false', npm_config_prefer_offline: 'true' }

const snippet = (language, pattern) => blockOf('README.md', language, pattern)

async function post (url, type, body) {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
  return response.json()
}

describe('README', function () {
  this.timeout(2 * INSTALL_TIME)

  let folder

  before(async () => {
    folder = await place()
  })

  after(() => remove(folder))

  it('has no snippet that is not run here', () => {
    const known = [
      /^npm pack/, /^npm install/, /app\.listen/, /"overrides"/, /^bodyParser\.json\(options\)/, /^const first/
    ]
    for (const { code } of blocksOf(readme)) assert.ok(known.some((pattern) => pattern.test(code)), code)
  })

  for (const [title, change, expected] of [
    ['puts it under Express', (block) => `${block}\nnpx fast-body-parser`, /replaced +express 5/],
    ['installs it by its own name', (block) => `${block.split('\n')[0]}\n${alone}\nnpx fast-body-parser`, /direct +app/]
  ]) {
    it(`has a block that ${title}, pasted into an application beside a clone`, async () => {
      const parent = createFolder()
      try {
        const app = path.join(parent, 'app')
        write(app, { 'package.json': { name: 'app', version: '1.0.0', dependencies: { express: '^5' } } })
        const block = change(snippet('sh', /^npm pack/)).replaceAll('../fast-body-parser', ROOT)
        const { stdout } = await run('sh', ['-ec', block], { cwd: app, env, timeout: INSTALL_TIME })
        assert.match(stdout, expected)
      } finally {
        remove(parent)
      }
    })
  }

  it('shows an app that runs', async () => {
    await serve(folder, snippet('js', /app\.listen/), async (url) => {
      assert.deepEqual(await post(url, 'application/json', '{"user":"tobi"}'), { user: 'tobi' })
      assert.deepEqual(await post(url, 'application/x-www-form-urlencoded', 'user[name]=tobi'),
        { user: { name: 'tobi' } })
      assert.equal((await post(url, 'application/json', JSON.stringify(['x'.repeat(900_000)])))[0].length, 900_000)
    })
  })

  it('shows what one client can do to the JSON of another, and cannot do here', async () => {
    const code = snippet('js', /^const first/)
    write(folder, { 'keys.js': code })
    const { stdout } = await run(process.execPath, ['keys.js'], { cwd: folder })
    const hasFault = /^1[34]\./.test(process.versions.v8) // as test/json-keys/json.js has it
    assert.equal(stdout, hasFault ? "{ b: 1, '\\\\': 2 }\n" : "{ b: 1, 'é': 2 }\n")
    const bodies = Array.from(code.matchAll(/String\.raw`(.*?)`/g), ([, body]) => body)
    await serve(folder, snippet('js', /app\.listen/), async (url) => {
      const answers = []
      for (const body of bodies) answers.push(await post(url, 'application/json', body))
      assert.deepEqual(answers, [{ b: 1, '\\': 2 }, { b: 1, é: 2 }])
    })
  })

  it('shows calls that work', async () => {
    const [, esm] = readme.match(/In an ES module: `(.*?)`/)
    const [, alone] = readme.match(/One parser only: `(.*?)`/)
    write(folder, {
      'calls.js': `
const assert = require('node:assert')
const bodyParser = require('fast-body-parser')
const options = {}
assert.equal(typeof ${alone}, 'function')
${snippet('js', /^bodyParser\.json\(options\)/)}
`,
      'calls.mjs': `${esm}\nif (json !== bodyParser.json) throw new Error('json')\njson()`
    })
    for (const name of ['calls.js', 'calls.mjs']) {
      const { stdout, stderr } = await run(process.execPath, [name], { cwd: folder })
      assert.equal(stdout + stderr, '')
    }
  })

  it('has npm start, and a curl line for it', async function () {
    const hasCurl = await run('curl', ['--version']).then(() => true, () => false)
    if (!hasCurl) {
      console.log('      curl is not on this machine')
      return this.skip()
    }
    const [, command, answer] = /^curl localhost:3000 (.*?) +# (.*)$/m.exec(snippet('sh', /npm start/))
    await serve(folder, `process.chdir('${ROOT}'); require('${ROOT}/examples/server.js')`, async (url) => {
      assert.equal((await run('sh', ['-c', `curl -sS ${url} ${command}`])).stdout, answer)
    })
  })
})
