'use strict'

// Small coded bodies that decode to large ones.

const zlib = require('node:zlib')
const attackOn = require('./attack')
const { bombOf, gzipMembers } = require('./compressed')
const { MB } = require('./fill')

const GB = 1024 * MB
const TOO_LARGE = ['413 entity.too.large']

/** An attack on a JSON parser of 1 MB, by a body in that coding. */
function bomb (name, what, coding, make, more) {
  const message = async () => ({ headers: { 'Content-Encoding': coding }, pieces: [await make()] })
  return attackOn('json', message, { name, what, expect: TOO_LARGE, ...more })
}

const made = {} // a second attack of the same bytes need not wait seconds for them
const gigabyteOf = (coding) => (made[coding] ??= bombOf(coding, GB))
const twice = async () => zlib.gzipSync(await gigabyteOf('gzip'), { level: 9 })

module.exports = [
  bomb('bomb-gzip', '1 GB of zeros in 1 MB of gzip', 'gzip', () => gigabyteOf('gzip')),
  bomb('bomb-deflate', '1 GB of zeros in 1 MB of deflate', 'deflate', () => gigabyteOf('deflate')),
  bomb('bomb-br', '1 GB of zeros in 809 bytes of brotli', 'br', () => gigabyteOf('br')),
  bomb('bomb-members', '64 gzip members of 16 MB each', 'gzip', () => gzipMembers(GB)),
  // One layer is removed, and the result is not JSON.
  bomb('bomb-nested', '1 GB, twice gzipped to 4 KB, sent as gzip', 'gzip', twice,
    { expect: ['400 entity.parse.failed'] }),
  bomb('bomb-two-codings', 'the same, sent as "gzip, gzip"', 'gzip, gzip', twice,
    { expect: ['415 encoding.unsupported'] }),
  bomb('bomb-small', '15 MB in 15 KB of gzip', 'gzip', () => zlib.gzipSync(Buffer.alloc(15 * MB), { level: 9 })),
  bomb('bomb-zstd', '1 GB of zeros in 32 KB of zstd', 'zstd', () => gigabyteOf('zstd'))
].filter(({ name }) => name !== 'bomb-zstd' || zlib.createZstdCompress)
