'use strict'

/**
 * A request as the bytes that go over the wire, made once and sent often.
 *
 * @param {import('./requests').LoadRequest} request
 * @param {string} host of the Host field
 * @returns {Buffer}
 */
function toBytes ({ method, headers, body, chunks }, host) {
  const lines = [`${method} / HTTP/1.1`, `Host: ${host}`, 'Connection: keep-alive']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (chunks !== undefined) lines.push('Transfer-Encoding: chunked')
  else if (method !== 'GET') lines.push(`Content-Length: ${body.length}`)
  const head = Buffer.from(lines.join('\r\n') + '\r\n\r\n', 'latin1')
  return Buffer.concat([head, ...(chunks === undefined ? [body] : frame(body, chunks))])
}

/** RFC 9112, section 7.1. */
function frame (body, chunks) {
  const parts = pieces(body, chunks).flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`, 'latin1'), piece, Buffer.from('\r\n', 'latin1')
  ])
  return [...parts, Buffer.from('0\r\n\r\n', 'latin1')]
}

/** Cuts a body into pieces of about the same length. */
function pieces (body, count) {
  const length = Math.ceil(body.length / count)
  return Array.from({ length: count }, (_, i) => body.subarray(i * length, (i + 1) * length))
    .filter((piece) => piece.length > 0)
}

module.exports = { toBytes, pieces }
