'use strict'

// Forms over a real connection, in the pieces that a test wants.

const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const { asChunk, LAST_CHUNK } = require('./chunk')
const { cutOnceRead } = require('./until-read')

const BOUNDARY = 'b'

/**
 * @param {Array<[name: string, value: string | Buffer, filename?: string, type?: string]>} parts
 * @returns {Buffer} the body of a form
 */
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

/**
 * Sends a form to a server that runs a parser.
 *
 * @param {Function} parser
 * @param {Buffer | Buffer[]} body in one piece, or in several
 * @param {object} [message]
 * @param {Record<string, string>} [message.headers]
 * @param {boolean} [message.chunked]
 * @param {boolean} [message.cut] break the connection after the body
 * @param {(req: object, res: object, error: unknown) => unknown} [message.handle] runs before the response
 * @returns {Promise<{ error: any, body: any, files: any, calls: number, thrown: any, status: number, answer: string }>}
 *   `thrown`: by `handle`, but for what an assertion of it throws
 * @throws {Error} if the request hangs
 */
async function upload (parser, body, { headers = {}, chunked = false, cut = false, handle = () => {} } = {}) {
  const pieces = [body].flat()
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0) + (cut ? 1 : 0)
  const seen = { calls: 0 }
  const parsed = withResolvers()
  const server = http.createServer((req, res) => parser(req, res, async (error) => {
    Object.assign(seen, { error, body: req.body, files: req.files, calls: seen.calls + 1 })
    try {
      seen.handled = await handle(req, res, error)
    } catch (error) {
      res.statusCode = 500
      seen.thrown = error
    }
    res.end('answer')
    if (cut) parsed.resolve()
    else if (res.closed) parsed.resolve()
    else res.once('close', parsed.resolve)
  }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {})
  socket.setNoDelay(true)
  const lines = Object.entries({
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    ...(chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length }),
    ...headers
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const [first = Buffer.alloc(0), ...rest] = chunked ? [...pieces.map(asChunk), cut ? Buffer.alloc(0) : LAST_CHUNK] : pieces
  socket.write(Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\nHost: test\r\n${lines.join('')}\r\n`), first]))
  seen.answer = ''
  socket.on('data', (chunk) => { seen.answer += chunk })
  const requested = once(server, 'request')
  for (const piece of rest) {
    await turn()
    socket.write(piece)
  }
  if (cut) await cutOnceRead(requested, socket)
  const isLate = await Promise.race([parsed.promise, delay(5000, true, { ref: false })])
  for (let turns = cut ? 99 : 0; turns < 100 && (turns % 99 === 0 || seen.answer === ''); turns++) await turn() // the answer, or a second call
  socket.destroy()
  server.close()
  server.closeAllConnections()
  if (isLate === true) throw new Error('the request hangs')
  if (seen.thrown?.code === 'ERR_ASSERTION') throw seen.thrown // of a test
  return { ...seen, status: Number(seen.answer.split(' ')[1]) }
}

function withResolvers () {
  const resolvers = {}
  resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }))
  return resolvers
}

/** An error as a table shows it. */
const shown = ({ status, type, limit, field, part }) => Object.fromEntries(Object.entries({ status, type, limit, field, part }).filter(([, value]) => value !== undefined))

module.exports = { form, shown, upload }
