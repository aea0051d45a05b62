'use strict'

// What clients do.

const { delay } = require('../../../tools/waiting')

const TIMEOUT = 150 // ms

const sendPart = (part) => ({ begin, body: { bytes } }) => begin(bytes.subarray(0, bytes.length * part))
const sendHalf = sendPart(0.5)

/**
 * @typedef {object} Behaviour
 * @property {boolean} [isWhole] sends the whole body
 * @property {boolean} [leaves] without waiting for the response
 * @property {object} [options] of the parser, without which nothing would end it
 * @property {(exchange: import('./exchange')) => Promise<void> | void} send
 */

/** @type {Record<string, Behaviour>} */
module.exports = {
  whole: {
    isWhole: true,
    send: sendAll
  },
  slow: {
    isWhole: true,
    async send (exchange) {
      await exchange.sendSlowly(exchange.body.bytes)
      exchange.client.finish()
    }
  },
  'whole, then FIN': leaving(sendAll, 'halfClose', { isWhole: true }), // Node closes the connection
  'whole, then RST': leaving(sendAll, 'reset', { isWhole: true }),
  stalled: {
    options: { timeout: TIMEOUT },
    send (exchange) {
      sendHalf(exchange)
      return arrival(exchange)
    }
  },
  FIN: leaving(sendHalf, 'halfClose'),
  RST: leaving(sendHalf, 'reset'),
  'gone while paused': leaving(sendPart(0.9), 'close', { options: { timeout: TIMEOUT } })
}

function leaving (send, how, more) {
  return {
    leaves: true,
    async send (exchange) {
      send(exchange)
      await arrival(exchange)
      exchange.client[how]()
    },
    ...more
  }
}

function sendAll ({ begin, body, client }) {
  begin(body.bytes)
  client.finish()
}

/** Some of the body is there, and the app has had time to see it. */
async function arrival (exchange) {
  await exchange.arrival()
  await delay(5)
}
