'use strict'

// Requests over loopback, one after the other on each connection.

const net = require('node:net')
const zlib = require('node:zlib')
const keepAwake = require('../../tools/lab/keep-awake')

const CONNECTIONS = 16
const CHUNK = 16 * 1024 // bytes
const STATUS = /^HTTP\/1\.1 (\d+)/
const ANSWER = /\r\n\r\n(?:[^{]*\r\n)?(\{[^}]*\})/ // JSON, maybe in a chunk

/** How a body is sent: header fields, and bytes. */
const framings = {
  plain: (body) => [`Content-Length: ${body.length}`, body],
  gzip (body) {
    const coded = zlib.gzipSync(body)
    return [`Content-Encoding: gzip\r\nContent-Length: ${coded.length}`, coded]
  },
  chunked (body) {
    const parts = []
    for (let at = 0; at < body.length; at += CHUNK) {
      const chunk = body.subarray(at, at + CHUNK)
      parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
    }
    return ['Transfer-Encoding: chunked', Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])]
  }
}

/**
 * @param {string} [type]
 * @param {Buffer} [body]
 * @param {keyof framings} [framing]
 * @returns {Buffer} a request, or one that asks for the CPU time if there is no body
 */
function requestOf (type, body, framing = 'plain') {
  if (body === undefined) return Buffer.from('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
  const [fields, bytes] = framings[framing](body)
  const head = `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: ${type}\r\n${fields}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

/**
 * @param {number} port
 * @param {Buffer} request
 * @param {number} amount of requests
 * @returns {Promise<object>} the last answer; rejected for another status than 200
 */
function load (port, request, amount) {
  return keepAwake(send(port, request, amount))
}

async function send (port, request, amount) {
  let left = amount
  let last
  await Promise.all(Array.from({ length: Math.min(CONNECTIONS, amount) }, () => new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1').setNoDelay()
    let seen = ''
    const send = () => {
      if (left-- > 0) return socket.write(request)
      socket.destroy()
      resolve()
    }
    socket.on('connect', send).on('error', reject).on('data', (chunk) => {
      seen += chunk
      const answer = ANSWER.exec(seen)
      if (answer === null) return
      if (STATUS.exec(seen)[1] !== '200') return reject(new Error(seen))
      last = JSON.parse(answer[1])
      seen = ''
      send()
    }).on('close', () => reject(new Error('the server has closed the connection')))
  })))
  return last
}

module.exports = { load, requestOf }
