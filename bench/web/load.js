'use strict'

// Requests over loopback, one after the other on each connection.

const net = require('node:net')
const zlib = require('node:zlib')
const { serializeRequest } = require('../../tools/http-message')
const keepAwake = require('../../tools/lab/keep-awake')

const CONNECTIONS = 16
const CHUNK = 16 * 1024 // bytes
const STATUS = /^HTTP\/1\.1 (\d+)/
const ANSWER = /\r\n\r\n(?:[^{]*\r\n)?(\{[^}]*\})/ // JSON, maybe in a chunk

/**
 * @param {string} [type]
 * @param {Buffer} [body]
 * @param {'plain' | 'gzip' | 'chunked'} [framing] how the body is sent
 * @returns {Buffer} a request, or one that asks for the CPU time if there is no body
 */
function requestOf (type, body, framing) {
  if (body === undefined) return serializeRequest({ method: 'GET' })
  const headers = { 'Content-Type': type, 'Content-Encoding': framing === 'gzip' ? framing : undefined }
  const chunks = framing === 'chunked' ? Math.ceil(body.length / CHUNK) : undefined
  return serializeRequest({ headers, body: framing === 'gzip' ? zlib.gzipSync(body) : body, chunks })
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
