'use strict'

// What clients do.

const { setImmediate: turn } = require('node:timers/promises')
const { split } = require('../../../tools/http-message')
const { delay } = require('../../../tools/waiting')

const PIECES = 4
const ARRIVAL = 20 // ms for a piece, which does not arrive while the app has paused the request
const TIMEOUT = 150 // ms

/**
 * @typedef {object} Behaviour
 * @property {boolean} [isWhole] sends the whole body
 * @property {boolean} [leaves] without waiting for the response
 * @property {object} [options] of the parser, without which nothing would end it
 * @property {(parts: Parts) => Promise<void>} send
 *
 * @typedef {object} Parts
 * @property {import('./exchange')} exchange
 * @property {object} client see ../clients.js
 * @property {(piece: Buffer) => void} begin sends the header, and the first piece
 * @property {Buffer} body
 */

/** @type {Record<string, Behaviour>} */
module.exports = {
  whole: {
    isWhole: true,
    send: sendAll
  },
  slow: {
    isWhole: true,
    async send ({ exchange, client, begin, body }) {
      for (const [index, piece] of split(body, PIECES).entries()) {
        if (index === 0) begin(piece)
        else client.more(piece)
        await exchange.until(() => exchange.arrived > index, ARRIVAL)
        await turn()
      }
      client.finish()
    }
  },
  'whole, then FIN': { // Node closes the connection
    isWhole: true,
    leaves: true,
    async send (parts) {
      await sendAll(parts)
      await arrival(parts.exchange)
      parts.client.halfClose()
    }
  },
  'whole, then RST': {
    isWhole: true,
    leaves: true,
    async send (parts) {
      await sendAll(parts)
      await arrival(parts.exchange)
      parts.client.reset()
    }
  },
  stalled: {
    options: { timeout: TIMEOUT },
    send: sendHalf
  },
  FIN: {
    leaves: true,
    async send (parts) {
      await sendHalf(parts)
      parts.client.halfClose()
    }
  },
  RST: {
    leaves: true,
    async send (parts) {
      await sendHalf(parts)
      parts.client.reset()
    }
  },
  'gone while paused': {
    leaves: true,
    options: { timeout: TIMEOUT },
    async send ({ exchange, client, begin, body }) {
      begin(body.subarray(0, body.length * 0.9))
      await arrival(exchange)
      client.close()
    }
  }
}

async function sendAll ({ client, begin, body }) {
  begin(body)
  client.finish()
}

async function sendHalf ({ exchange, begin, body }) {
  begin(body.subarray(0, body.length / 2))
  await arrival(exchange)
}

/** Some of the body is there, and the app has had time to see it. */
async function arrival (exchange) {
  await exchange.until(() => exchange.arrived > 0, ARRIVAL)
  await delay(5)
}
