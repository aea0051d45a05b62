'use strict'

const { preload } = require('../core/lazy')
const { createParser, wrap } = require('../core/middleware')
const { readCommon } = require('../core/options')
const { hasBrackets, parseFlat, unescapeLatin1, unescapeUtf8 } = require('../form/flat')
const { createNestedParse, loadQs } = require('../form/nested')
const { describeForm } = require('../form/parse')
const read = require('../read')

/** @type {import('../..').BodyParser['urlencoded']} */
module.exports = function urlencoded (options) { // see index.d.ts; console.log(urlencoded()) shows the defaults
  const settings = readCommon(options, 'application/x-www-form-urlencoded')
  const parser = createParser({ name: 'urlencoded', ...describeForm(options, createFormParse) }, settings)
  return wrap(function urlencodedParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}

function createFormParse (form) {
  const { charsetSentinel, interpretNumericEntities, qs } = form
  preload(loadQs) // flat forms do not need it
  const parseNested = createNestedParse(form)
  if (qs !== undefined) return parseNested
  const isFlat = (text) => !hasBrackets(text) &&
    !(charsetSentinel && text.includes('utf8=')) &&
    !(interpretNumericEntities && text.includes('%26')) // an ampersand in a value: &#9786;
  return (text, charset, count) => isFlat(text)
    ? parseFlat(text, charset === 'utf-8' ? unescapeUtf8 : unescapeLatin1)
    : parseNested(text, charset, count)
}
