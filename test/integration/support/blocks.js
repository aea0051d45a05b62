'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT } = require('./project')

/** The one block of a page in that language that has such a text. */
function blockOf (page, language, pattern) {
  const text = fs.readFileSync(path.join(ROOT, page), 'utf8')
  const blocks = Array.from(text.matchAll(/^```(.*)\n([^]*?)^```$/gm), ([, info, code]) => ({ info, code }))
  const found = blocks.filter(({ info, code }) => info === language && pattern.test(code))
  assert.equal(found.length, 1, `${page}, ${pattern}`)
  return found[0].code
}

module.exports = blockOf
