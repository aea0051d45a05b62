'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const { createRequire } = require('node:module')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('mocha')
const { compareResults } = require('../../../perf/results/comparison')
const { figure, percent } = require('../../../perf/results/format')
const result = require('./support/result')

const settings = { alpha: 0.05, threshold: 1, drift: 10 }
const BROWSERS = [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].filter(Boolean)

// A browser is not on every machine: without one its test is skipped.
describe('perf/report', function () {
  this.timeout(40_000) // ms; a browser

  let folder
  let comparison
  let html

  before(() => {
    const histogram = madeUpHistogram()
    const results = [result('A', ['one', 'two'], { histogram }), result('B', ['one', 'two'], { cost: 1.2, histogram })]
    comparison = compareResults(...results, settings)
    html = require('../../../perf/report/page')(results, comparison)
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perf-report-'))
    fs.writeFileSync(path.join(folder, 'report.html'), html)
  })

  after(() => folder && fs.rmSync(folder, { recursive: true }))

  it('has the scenarios that both targets have', () => {
    const histogram = madeUpHistogram()
    const results = [result('A', ['zero', 'one'], { histogram }), result('B', ['one'], { histogram })]
    const page = require('../../../perf/report/page')(results, compareResults(...results, settings))
    assert.match(page, /<details open><summary>one /)
    assert.doesNotMatch(page, /<summary>zero /)
  })

  it('loads nothing from elsewhere', () => {
    const page = html.replace(/<script type="application\/json".*<\/script>/, '').replaceAll(/ xmlns(:\w+)?="[^"]*"|url\(#/g, '')
    assert.doesNotMatch(page, /https?:|\/\/|url\(|@import|<script|<img|<iframe/)
    assert.doesNotMatch(page.replace('href="data:,"', ''), /\b(src|href)=/)
  })

  it('escapes what it shows', () => {
    assert.match(html, /One &#60;fast&#62; &#38; cheap/)
    assert.doesNotMatch(html, /One <fast>/)
  })

  it('has the figures of the JSON, which it carries along', () => {
    const [, carried] = html.match(/<script type="application\/json" id="comparison">(.*)<\/script>/)
    assert.deepEqual(JSON.parse(carried), JSON.parse(JSON.stringify(comparison)))
  })

  it('renders in a browser, with no error and with those figures', function () {
    const browser = BROWSERS.find((name) => spawnSync(name, ['--version']).status === 0)
    if (browser === undefined) return this.skip()
    const { stdout, stderr, status } = spawnSync(browser, [
      '--headless', '--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND',
      `--user-data-dir=${path.join(folder, 'profile')}`, '--enable-logging=stderr', '--dump-dom', path.join(folder, 'report.html')
    ], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.doesNotMatch(stderr, /CONSOLE/)
    for (const { name, ratios, a, verdict } of comparison.scenarios) {
      assert.ok(stdout.includes(`${name}: ${percent(ratios.cpu.ratio)}`), name)
      assert.ok(stdout.includes(percent(ratios.cpu.interval.low)))
      assert.ok(stdout.includes(figure(a.averages.cpu, 'us')))
      assert.ok(stdout.includes(verdict.text.replace('<', '&lt;')))
    }
    assert.doesNotMatch(stdout, /NaN|undefined|Infinity/)
  })
})

function madeUpHistogram () {
  const hdr = createRequire(require.resolve('../../../perf/package.json'))('hdr-histogram-js')
  const histogram = hdr.build({ bitBucketSize: 64, highestTrackableValue: 120e9, numberOfSignificantValueDigits: 3 })
  for (let i = 1; i <= 1000; i++) histogram.recordValue(i * 10_000)
  return hdr.encodeIntoCompressedBase64(histogram)
}
