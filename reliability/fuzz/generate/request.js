'use strict'

// A request: its header, what is in its body, how that is coded and framed, and the pieces in which it arrives.

const { charset, contentType } = require('./content-type')
const { each, int, mostly, oneOf, record, upTo } = require('./draw')
const { formText } = require('./form')
const { jsonText } = require('./json')
const { anyBytes, plainText } = require('./text')

const permille = int(0, 999)

const CONTENTS = {
  json: oneOf([16, jsonText], [2, anyBytes], [1, oneOf([1, formText], [1, plainText])]),
  urlencoded: oneOf([16, formText], [2, anyBytes], [1, oneOf([1, jsonText], [1, plainText])]),
  text: oneOf([8, plainText], [6, anyBytes], [1, oneOf([1, formText], [1, jsonText])]),
  raw: oneOf([1, anyBytes], [1, plainText])
}

const HEADERS = [
  ['Connection', 'close'], ['Connection', 'keep-alive'], ['Expect', '100-continue'], ['Content-Type', 'text/plain'],
  ['Content-Encoding', 'gzip'], ['Content-Encoding', 'br'], ['Upgrade', 'websocket']
]

const CODINGS = ['gzip', 'deflate', 'br', 'zstd']
const WRONG_CODINGS = [
  'x-gzip', 'gzip, br', 'gzip,', ' ', 'compress', 'GZIP', 'Br', 'DEFLATE', 'identity', 'Identity',
  'identity, identity', 'toString', '__proto__', '*', 'deflate-raw', 'none', ''
]
const TRAILING = ['00', '0000', '01', '1f', '1f8b', '1f8b08', 'ff', '616263', '00'.repeat(50), '00616263', '78da']

/** What is wrong with the coded bytes; see ../message.js. */
const codingFault = oneOf(
  [2, record({ kind: 'truncate', at: permille })],
  [1, record({ kind: 'truncate', at: [0, -1, -4, -8] })],
  [2, record({ kind: 'trail', hex: TRAILING })],
  [2, record({ kind: 'damage', at: permille, mask: [1, 0x80, 0xFF, 0x20] })],
  [1, record({ kind: 'again', times: int(1, 3) })],
  [1, { kind: 'empty' }],
  [1, { kind: 'plain' }]
)

/** `header` is the value of Content-Encoding, `applied` are the codings, the innermost first. */
const coded = record({
  name: CODINGS,
  fault: mostly(undefined, codingFault, 1),
  other: mostly(undefined, [...CODINGS, ...WRONG_CODINGS], 8),
  second: mostly([], [...CODINGS, 'raw'], 15),
  level: [1, 0, 9]
}).map(({ name, other = name, second, fault, ...rest }) => {
  const isRepaired = name === 'zstd' && ['again', 'trail'].includes(fault?.kind) // Node misreads what follows a frame
  return { header: other, applied: [name].concat(second), fault: isRepaired ? undefined : fault, ...rest }
})
const named = record({ header: ['identity', 'Identity', '', ...WRONG_CODINGS], applied: [[]] })
const coding = oneOf([14, undefined], [5, coded], [1, named])

const off = mostly(0, oneOf([2, int(-4, 6)], [1, [1000, 200_000, -1000, 5_000_000_000]]), 14)
/** A declared length, chunks, or none. */
const framing = oneOf(
  [40, record({ kind: 'length', off })],
  [
    22,
    record({
      kind: 'chunked',
      sizes: upTo(4, int(1, 999)),
      fault: mostly(undefined, ['trailer', 'unfinished', 'unfinished'], 12),
      transfer: mostly('chunked', ['Chunked', 'gzip, chunked', 'identity', ''], 20)
    })
  ],
  [2, { kind: 'none' }]
)

const pause = oneOf([8, 'delivered'], [4, ['at once', 'a turn', 'turns']], [1, 'a moment'])
const place = oneOf([3, permille], [1, ['head', 'last', 'first']])

/** Where it is cut, in thousandths or by name, the pauses between the pieces, and whether each byte comes alone. */
const arrival = record({
  cuts: oneOf([3, [[]]], [2, [['head']]], [5, upTo(5, place)]),
  pauses: mostly(['delivered'], upTo(3, pause, 1), 1),
  bytewise: mostly(false, true, 20)
})

/** Of the kind that this parser reads, or nearly so. */
function request (parser) {
  return record({
    method: mostly('POST', ['PUT', 'PATCH', 'GET', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'], 8),
    version: mostly('1.1', '1.0', 40),
    type: contentType(parser),
    charset,
    encodedAs: mostly('same', charset, 5), // the charset that is named, or another
    headers: mostly([], upTo(2, HEADERS, 1), 12),
    content: CONTENTS[parser],
    damage: mostly([], upTo(3, each(permille, int(0, 255)), 1), 12),
    coding,
    framing,
    arrival
  })
}

module.exports = { request }
