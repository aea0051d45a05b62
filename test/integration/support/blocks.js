'use strict'

const assert = require('node:assert/strict')
const { blocksOf, read } = require('../../support/pages')

/** The one block of a page in that language that has such a text. */
module.exports = function blockOf (page, language, pattern) {
  const found = blocksOf(read(page)).filter((block) => block.language === language && pattern.test(block.code))
  assert.equal(found.length, 1, `${page}, ${pattern}`)
  return found[0].code
}
