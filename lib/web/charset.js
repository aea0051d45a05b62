'use strict'

// The charsets of a Request: in Node those of the middleware, elsewhere those of TextDecoder.

const { createCharsets } = require('../core/platform')
const { findModule } = require('./node')

const utf8 = new TextDecoder()

/** A Request may have given its text already. */
const decodeUtf8 = (content) => typeof content === 'string' ? content : utf8.decode(content)

/** Not imported, as it needs modules of Node, which bundles must not name. In a bundle for Node, it may be missing. */
function findIconv () {
  try {
    return findModule('node:module').createRequire(__filename)('iconv-lite')
  } catch {}
}

/** `load`: now, as a request must not need a file. The tables of some charsets are loaded later. */
const { decoderOf, load } = createCharsets({ decodeUtf8, findIconv })

module.exports = Object.assign(decoderOf, { load })
