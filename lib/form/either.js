'use strict'

const { hasBrackets, parseFlat, unescapeLatin1, unescapeUtf8 } = require('./flat')
const createNestedParse = require('./nested')

/** Parses forms that do not nest by themselves, and others with qs. */
module.exports = function createFormParse (settings) {
  const { charsetSentinel, interpretNumericEntities } = settings
  const parseNested = createNestedParse(settings)
  const isFlat = (text) => !hasBrackets(text) &&
    !(charsetSentinel && text.includes('utf8=')) &&
    !(interpretNumericEntities && text.includes('%26')) // an ampersand in a value: &#9786;
  return (text, charset, count) => isFlat(text)
    ? parseFlat(text, charset === 'utf-8' ? unescapeUtf8 : unescapeLatin1)
    : parseNested(text, charset, count)
}
