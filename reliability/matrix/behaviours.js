'use strict'

// What clients do.

const { setImmediate: turn } = require('node:timers/promises')
const { delay } = require('../../tools/waiting')
const { context } = require('./subjects')

const TIMEOUT = 150 // ms

const sendPart = (part) => ({ begin, lane: { body } }) => begin(body.subarray(0, body.length * part))
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
      const { client, lane: { body, declares }, step } = exchange
      await exchange.sendSlowly(body, (sent) => sent === 2 && step.isAmid ? actAmid(exchange) : turn())
      if (declares === undefined) client.finish()
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

function sendAll ({ begin, client, lane: { body } }) {
  begin(body)
  client.finish()
}

/** Some of the body is there, and the app has had time to see it. */
async function arrival (exchange) {
  await exchange.arrival()
  await delay(5)
}

async function actAmid (exchange) {
  await delay(2)
  await new Promise((resolve) => setImmediate(() => { // outside of this promise
    resolve()
    if (exchange.req?.socket) context.run({ exchange }, () => exchange.interfere())
  }))
  await delay(5)
}
