'use strict'

// Requests over loopback, one after the other on each connection.

const net = require('node:net')

const CONNECTIONS = 16
const STATUS = /^HTTP\/1\.1 (\d+)/
const ANSWER = /\r\n\r\n(?:[^{]*\r\n)?(\{[^}]*\})/ // JSON, maybe in a chunk

/** @returns {Buffer} a request, or one that asks for the CPU time if there is no body */
function requestOf (type, body) {
  if (body === undefined) return Buffer.from('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
  const head = `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/**
 * @param {number} port
 * @param {Buffer} request
 * @param {number} amount of requests
 * @returns {Promise<object>} the last answer; rejected for another status than 200
 */
async function load (port, request, amount) {
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
