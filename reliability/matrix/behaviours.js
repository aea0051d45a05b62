'use strict'

// What clients do.

const { setImmediate: turn } = require('node:timers/promises')
const { delay } = require('../../tools/waiting')
const { context } = require('./subjects')

const options = { timeout: 150 } // ms, without which nothing would end the parser

/**
 * @typedef {object} Behaviour
 * @property {number} [part] of the body that is sent at once
 * @property {'close' | 'halfClose' | 'reset'} [leaves] without waiting for the response
 * @property {object} [options] of the parser
 * @property {boolean} isWhole sends the whole body
 *
 * @type {Record<string, Behaviour>}
 */
const behaviours = {
  whole: { part: 1 },
  slow: {},
  'whole, then FIN': { part: 1, leaves: 'halfClose' }, // Node closes the connection
  'whole, then RST': { part: 1, leaves: 'reset' },
  stalled: { part: 0.5, options },
  FIN: { part: 0.5, leaves: 'halfClose' },
  RST: { part: 0.5, leaves: 'reset' },
  'gone while paused': { part: 0.9, leaves: 'close', options }
}
for (const behaviour of Object.values(behaviours)) behaviour.isWhole = [1, undefined].includes(behaviour.part)

/** The client of an exchange does all that it does. */
async function send (exchange) {
  const { behaviour: { isWhole, leaves, part }, client, lane: { body, declares }, step } = exchange
  if (part === undefined) {
    await exchange.sendSlowly(body, (sent) => sent === 2 && step.isAmid ? actAmid(exchange) : turn())
  } else {
    exchange.begin(body.subarray(0, body.length * part))
  }
  if (isWhole && declares === undefined) client.finish()
  if (isWhole && leaves === undefined) return
  await exchange.arrival()
  await delay(5) // in which the app may see some of the body
  if (leaves !== undefined) client[leaves]()
}

async function actAmid (exchange) {
  await delay(2)
  await new Promise((resolve) => setImmediate(() => { // outside of this promise
    resolve()
    if (exchange.req?.socket) context.run({ exchange }, () => exchange.interfere())
  }))
  await delay(5)
}

module.exports = { behaviours, send }
