'use strict'

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const { promisify } = require('node:util')
const zlib = require('node:zlib')
const adversarial = require('../../../tools/adversarial-bodies')

const STUDIES = path.join(__dirname, '../../../bench/studies')
const TIME = 120_000 // ms

async function run (file, ...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(STUDIES, file), ...args], { maxBuffer: 2 ** 26 })
  return stdout
}

describe('the studies of bench/', function () {
  this.timeout(TIME)

  it('compare remembered matches of Content-Type values with new ones', async () => {
    const out = await run('content-type.js', '--quick')
    for (const row of ['application/json; charset=utf-8', '8 distinct', '9 distinct', '100,000 distinct']) {
      assert.match(out, new RegExp(`│ ${row} +│ +\\d+ \\(\\d+\\) │ +\\d+ \\(\\d+\\) │`))
    }
  })

  it('show how long a call into zlib takes, and which bodies lib/ leaves to a stream', async () => {
    const out = await run('inflate.js', '--quick')
    for (const coding of ['gzip', 'deflate', 'br']) assert.match(out, new RegExp(`│ ${coding}: ms, at worst`))
    assert.match(out, /from 16 KiB +│ +[\d.]+ │ +[\d.]+ │ +[\d.]+ │/)
    assert.match(out, /br: always by a stream/)
    for (const body of ['context maps', 'largest window']) assert.match(out, new RegExp(`│ ${body} +│ +\\d+ │ +[\\d.]+ │`))
    assert.match(out, /│ gzip, 0\.3 KB from \d+ B +│ +\d+ \(\d+\) │ +\d+ \(\d+\) │/)
  })

  it('show the functions that a row spends its time in', async () => {
    const out = await run('profile.js', '--quick')
    assert.match(out, /json 274 B, as a server feeds it\n/)
    assert.match(out, /│ +lib\/json\/parse\.js:\d+ │/)
    assert.match(out, /deoptimized while warming/)
    await assert.rejects(run('profile.js', 'no such row'), /error: no row is called "no such row"; npm run bench shows them\n$/)
  })
})

describe('adversarial bodies', () => {
  const decoded = {
    brotliMaps: [zlib.brotliDecompressSync, /^a+$/],
    brotliWindow: [zlib.brotliDecompressSync, /^a+$/],
    deflateTables: [zlib.inflateSync, /^$/],
    gzipMembers: [zlib.gunzipSync, /^$/]
  }
  for (const [name, [decode, content]] of Object.entries(decoded)) {
    it(`${name} makes a valid body that is no longer than asked`, () => {
      const bytes = adversarial[name](4096)
      assert.ok(bytes.length <= 4096 + 20, `${bytes.length} bytes`)
      assert.match(decode(bytes).toString(), content)
    })
  }
})
