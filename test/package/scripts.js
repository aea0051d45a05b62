'use strict'

// `npm test` runs with the packages of the root alone: bench/, perf/ and
// reliability/ have packages of their own, reliability/matrix has not.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '../..')
const OTHERS = /^test\/(?:(?:integration|tools)\/|reliability\/matrix\.js$)/ // run by commands of their own, or in a process of its own
const TOOL = /(['"`])(?:\.{0,2}\/)*(?:test\/)?(?:bench|perf|reliability|tools)(?:\/.*?)?\1/g // a path in quotes

function filesIn (folder) {
  return fs.readdirSync(path.join(ROOT, folder), { recursive: true }).map((name) => path.join(folder, name))
}

describe('npm test', () => {
  it('uses nothing of bench/, perf/, reliability/ and test/tools/', () => {
    const files = ['index.js', ...filesIn('examples'), ...filesIn('lib'), ...filesIn('test')]
      .filter((file) => file.endsWith('.js') && !OTHERS.test(file.replaceAll(path.sep, '/')))
    const found = files.flatMap((file) => {
      const paths = fs.readFileSync(path.join(ROOT, file), 'utf8').match(TOOL) ?? []
      return paths.map((tool) => `${file} uses ${tool}`)
    })
    assert.deepEqual(found, [], 'move tests of tools to test/tools/, and what tools and tests share to test/support/')
  })
})
