'use strict'

// The classes of differences that are meant: each is one sentence, and tells
// whether a difference belongs to it. The first that does counts.

const { isDeepStrictEqual } = require('node:util')

const without = ({ body, file, files, ...rest }) => rest
const codeOf = ({ error }) => error && (error.code ?? error.thrown ?? error.message)

module.exports = [
  {
    sentence: 'A boundary in the place of the header of a part is the first line of that header, which is malformed.',
    includes: (seen, expected, { text }) => /--b\r\n--b/.test(text)
  },
  {
    sentence: 'A form that is cut within its last line, behind the boundary, lacks its end.',
    includes: (seen, expected, { text }) => text.endsWith('--b--\r')
  },
  {
    sentence: 'A value, or a file, with a line that begins with the boundary is kept whole; multer cuts it there.',
    includes: (seen, expected, { text }) => /(^|\r\n)--b(?!\r\n|--)/.test(text) || /\r\n--b--[^\r]/.test(text)
  },
  {
    sentence: 'Nothing behind the last boundary is read; multer leaves out one part, and reads the next.',
    includes: (seen, expected, { text }) => /--b--\r\n[^]*\r\n--b/.test(text)
  },
  {
    sentence: 'After the same error, the request has the fields and files that came before it alone.',
    includes: (seen, expected) => seen.error !== undefined && isDeepStrictEqual(without(seen), without(expected))
  },
  {
    sentence: 'A path to which two files of a form were written is removed once; multer reports the second removal.',
    includes: (seen, { error }) => error?.storageErrors?.some((message) => /^ENOENT.*unlink/.test(message)) ?? false
  },
  {
    sentence: 'A value in a charset of the Encoding Standard is decoded; multer gives undefined.',
    includes: (seen, expected, { text }) => text.includes('charset=gbk') && seen.error === undefined && expected.error === undefined
  },
  {
    sentence: 'Of several errors of a form, the one is reported that comes first in the form.',
    includes: (seen, expected) => seen.error !== undefined && expected.error !== undefined && codeOf(seen) !== codeOf(expected)
  }
]
