'use strict'

// Forms over a real connection, in the pieces that a test wants.

const { setImmediate: turn } = require('node:timers/promises')
const { Readable } = require('node:stream')
const zlib = require('node:zlib')
const { messageOf } = require('../../tools/http-message')
const { arrivals } = require('./arrival')
const inTime = require('./in-time')
const { connect } = require('./shared-server')

const BOUNDARY = 'b'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** The body of a form. @param {[name: string, value: string | Buffer, filename?: string, type?: string][]} parts */
function form (...parts) {
  const bytes = parts.flatMap(([name, value, filename, type]) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    value,
    '\r\n'
  ])
  return Buffer.concat([...bytes, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)))
}

/** A message of tools/http-message.js with this form, of which there is more to come if it is cut. */
function formMessage (body, { headers, chunked, cut = false }) {
  const pieces = [body].flat().map((piece) => Buffer.from(piece))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0) + (cut ? 1 : 0)
  return messageOf({ headers: { 'Content-Type': TYPE, ...headers }, pieces, length, chunked, cut })
}

/**
 * Sends a form, in one piece or in several, to a server that runs a parser. `handle` runs before the response; `cut`
 * breaks the connection after the body.
 *
 * @returns {Promise<{ error: any, body: any, files: any, calls: number, thrown: any, status: number, answer: string }>}
 *   `thrown`: by `handle`, but for what an assertion of it throws
 */
async function upload (parser, body, { handle = () => {}, ...message } = {}) {
  const seen = { calls: 0 }
  let resolve
  const parsed = new Promise((_resolve) => { resolve = _resolve })
  const talk = await connect((req, res) => parser(req, res, async (error) => {
    Object.assign(seen, { error, body: req.body, files: req.files, calls: seen.calls + 1 })
    try {
      seen.handled = await handle(req, res, error)
    } catch (error) {
      res.statusCode = 500
      seen.thrown = error
    }
    res.end('answer')
    if (message.cut || res.closed) resolve()
    else res.once('close', resolve)
  }))
  await talk.send(formMessage(body, message), turn)
  const isLate = await inTime(parsed, 5000, true)
  await talk.until(() => talk.closed || talk.text !== '', 100) // the answer
  await turn() // a second call
  talk.peer.destroy()
  if (isLate === true) throw new Error('the request hangs')
  if (seen.thrown?.code === 'ERR_ASSERTION') throw seen.thrown // of a test
  return { ...seen, answer: talk.text, status: Number(talk.text.split(' ')[1]) }
}

/**
 * Ways to send a body, for `upload`: declared, in chunks, and coded. It is cut at places that change with the index of
 * a row, so that a table has them all.
 */
function messages (body, index) {
  const ways = Object.entries(arrivals(body))
  const [[way, pieces], [other, chunks]] = [ways[index % ways.length], ways[(index + 2) % ways.length]]
  return [
    [`declared, ${way}`, pieces, {}],
    [`chunked, ${other}`, chunks, { chunked: true }],
    ['gzip', [zlib.gzipSync(body)], { headers: { 'Content-Encoding': 'gzip' } }]
  ]
}

/** A middleware that gives the parts of a form to a function of the app. */
function iterate (parser, app) {
  return (req, res, next) => app(parser.parts(req, res), req).then(() => next(), next)
}

/** A request that is a stream, to which a test pushes a form. */
function openRequest (headers = { 'transfer-encoding': 'chunked' }) {
  return Object.assign(new Readable({ read () {} }), { headers: { 'content-type': TYPE, ...headers } })
}

/** The error of `next`, if it has one. */
function nextOf (parser, req, res = {}) {
  return new Promise((resolve) => parser(req, res, resolve))
}

/** An error as a table shows it: the fields that tables name. */
function shown (error) {
  if (error === undefined) return undefined
  const { status, type, line, offset, limit, field, part, body } = error
  const fields = Object.entries({ status, type, line, offset, limit, field, part, body })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

module.exports = { TYPE, form, formMessage, iterate, messages, nextOf, openRequest, shown, upload }
