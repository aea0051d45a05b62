'use strict'

// Content-Types: what lib/core/match.js finds against what body-parser does, and
// what it remembers against what it finds anew.

const bodyParser = require('body-parser')
const { createHeaderMatch } = require('../../../lib/core/match')
const subject = { json: require('../../../lib/types/json'), raw: require('../../../lib/types/raw'), text: require('../../../lib/types/text'), urlencoded: require('../../../lib/types/urlencoded') }
const { outcomeOf } = require('../outcome')
const { mustEqual } = require('../wrong-answer')

const BODY = Buffer.from('[]\xE9', 'latin1') // so that charsets differ
const MOST = 24 // headers of an input

/** The charsets of the parsers in lib/types/, and some values of the option type. */
const PARSERS = {
  json: { charsets: { allows: (charset) => charset.startsWith('utf-'), fallback: 'utf-8' }, types: ['application/json', 'json', '+json', '*/*', ['json', 'text/*'], 'application/*+json', ['application/json', 'text/plain']] },
  raw: { charsets: null, types: ['application/octet-stream', '*/*', 'bin', ['application/json', 'text/plain', 'a/b'], 'image/*'] },
  text: { charsets: { allows: () => true, fallback: 'utf-8' }, types: ['text/plain', 'text', 'text/*', 'html', ['text/plain', 'text/html'], '*/xml', () => true] },
  urlencoded: { charsets: { allows: (charset) => charset === 'utf-8' || charset === 'iso-8859-1', fallback: 'utf-8' }, types: ['application/x-www-form-urlencoded', 'urlencoded', '*/*', ['application/x-www-form-urlencoded'], 'multipart', '*/x-www-form-urlencoded'] }
}

const CONFIGURATIONS = Object.entries(PARSERS).flatMap(([name, { charsets, types }]) =>
  types.flatMap((type) => [false, true].map((verified) => ({ name, charsets, type, verified }))))

/** The first byte chooses a parser, each line of the others is a Content-Type. */
async function run (bytes) {
  const configuration = CONFIGURATIONS[(bytes[0] ?? 0) % CONFIGURATIONS.length]
  const headers = bytes.toString('latin1', 1).split('\n', MOST)
  const about = (what, header) => () => `${what}: ${configuration.name}, type ${configuration.type}${configuration.verified ? ', with verify' : ''}, Content-Type ${JSON.stringify(header)}`

  checkMemory(configuration, headers, about)
  const [header] = headers
  const [ours, theirs] = await Promise.all([subject, bodyParser].map((parsers) => seenBy(parsers, configuration, header)))
  mustEqual(ours, theirs, about('outcome', header))
}

/** One match that is used for all headers, in several orders, and a new one for each. */
function checkMemory ({ charsets, type, verified }, headers, about) {
  const create = () => createHeaderMatch({ type, charsets, refusesUnknown: verified })
  const remembering = create()
  const first = headers.map((header) => describeMatch(create(), header))
  const order = [...headers.keys(), ...headers.keys(), ...[...headers.keys()].reverse()]
  for (const index of order) {
    mustEqual(describeMatch(remembering, headers[index]), first[index], about('remembered', headers[index]))
  }
}

function describeMatch (match, header) {
  const headers = { 'content-type': header, 'content-length': '3' }
  const { skip, charset, decode, refusal } = match({ headers, complete: false, readable: true, socket: { readable: true } }, headers)
  return { skip, charset, refusal, text: decode === null ? null : String(decode(BODY)) }
}

async function seenBy (parsers, { name, type, verified }, header) {
  const charsets = [] // that verify gets
  const verify = (req, res, bytes, charset) => { charsets.push(charset) }
  const middleware = parsers[name]({ type, ...(name === 'json' ? { strict: false } : {}), ...(verified ? { verify } : {}) })
  const headers = { 'content-length': String(BODY.length), ...(header === '' ? {} : { 'content-type': header }) }
  return { ...await outcomeOf(middleware, headers, BODY), charsets }
}

module.exports = {
  words: ['application/json', 'text/plain', 'text/html', 'application/x-www-form-urlencoded', 'application/octet-stream', 'multipart/form-data', 'application/vnd.api+json', 'image/svg+xml', '; charset=', ';charset="', 'utf-8', 'UTF-8', 'utf-16', 'iso-8859-1', 'latin1', 'windows-1252', 'utf-7', 'us-ascii', 'base64', '__proto__', ';', '"', '\\', '=', '/', '*/*', '+json', '*', ' ', '\t', '\n', '; boundary=', 'a='],
  seeds: [0, 1, 2, 3, 6, 8, 14, 15, 16, 24, 25, 26, 30, 36, 38, 39, 40, 44].flatMap((choice) => [
    `${String.fromCharCode(choice)}application/json; charset=utf-8\ntext/plain\nText/Plain;charset="ISO-8859-1"\napplication/x-www-form-urlencoded`,
    `${String.fromCharCode(choice)}text/plain; charset=latin1; a=b`,
    `${String.fromCharCode(choice)}application/x-www-form-urlencoded; charset=utf-8; charset=x`
  ]),
  longest: 512,
  run
}
