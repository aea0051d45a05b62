'use strict'

// The charsets of a Request: in Node those of the middleware, elsewhere those of TextDecoder.

const { createCharsets } = require('../core/platform')
const { findModule } = require('./node')

const utf8 = new TextDecoder()

/** A string is what `text()` of the Request has decoded. */
const decodeUtf8 = (content) => typeof content === 'string' ? content : utf8.decode(content)

/** Not by `require`: iconv-lite needs modules of Node, which bundles must not import. Bundles for Node may lack it. */
function findIconv () {
  try {
    return findModule('node:module').createRequire(__filename)('iconv-lite')
  } catch {}
}

/** `load` is for when a parser is made, so that no request loads a file; iconv-lite loads some tables later. */
const { decoderOf, load } = createCharsets({ decodeUtf8, findIconv })

module.exports = Object.assign(decoderOf, { load })
