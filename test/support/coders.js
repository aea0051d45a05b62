'use strict'

// What codes a body, for each content coding of this Node.js. Brotli at a low quality, as its
// default takes ten times as long as all else, and tests nothing more.

const zlib = require('node:zlib')

const { gzipSync: gzip, deflateSync: deflate, zstdCompressSync: zstd } = zlib
const FAST = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }
const br = (bytes) => zlib.brotliCompressSync(bytes, FAST)

const CODERS = { gzip, deflate, br, ...(zstd && { zstd }) }
/** Those that fast-body-parser/web decodes here: before Node 20.16 it finds no zlib. */
const CODERS_OF_WEB = process.getBuiltinModule ? CODERS : { gzip, deflate }

module.exports = { CODERS, CODERS_OF_WEB }
