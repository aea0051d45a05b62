'use strict'

// Runs cells, many at a time, each on a connection of its own.

const { setImmediate: turn } = require('node:timers/promises')
const digestOf = require('../../../test/support/content-digest')
const { delay } = require('../../../tools/waiting')
const campaign = require('../campaign')
const Servers = require('../servers')
const { context, oracle, oursWith } = require('../subjects')
const Exchange = require('./exchange')
const judge = require('./judge')
const lanes = require('./lanes')

const PATIENCE = 600 // ms for `next` and the response
const PARTING = 300 // ms for `next` once the client has left

/**
 * @param {import('./cells').Cell[]} cells
 * @param {string | null} [fault] to inject: see ../../faults.js
 */
module.exports = async function run (cells, fault = null) {
  const ours = oursWith(fault)
  const servers = await Servers.open()
  const result = await campaign(cells, tryCell, servers)
  await servers.close()
  return result

  async function tryCell (cell) {
    const { call, isChunked, isOwn } = lanes[cell.lane]
    const hasOracle = !isOwn && !(cell.http === 2 && isChunked && !call) // body-parser skips these
    const [seen, expected] = await Promise.all([
      observe(cell, ours, servers), hasOracle ? observe(cell, oracle, servers) : null
    ])
    return judge(cell, seen, expected)
  }
}

async function observe (cell, subject, servers) {
  const exchange = new Exchange(cell, subject)
  const { body, coding, declares, isChunked, sent = body, type } = exchange.lane
  const length = isChunked ? null : declares ?? body.length
  await servers.connect(exchange, cell, { type, coding, length, digest: digestOf(sent) })
  await exchange.sendSlowly(body, (sent) => sent === 2 && exchange.step.isAmid ? amid(exchange) : turn())
  if (declares === undefined) exchange.client.finish()
  await exchange.until(() => exchange.calls.length > 0 && exchange.client.isOver, PATIENCE)
  exchange.hasLeft = true
  await exchange.part(PARTING / 2)
  await exchange.until(() => exchange.isClosed && exchange.calls.length > 0, PARTING)
  await turn()
  await turn()
  servers.forget(exchange)
  return exchange.observe()
}

async function amid (exchange) {
  await delay(2)
  await new Promise((resolve) => setImmediate(() => { // outside of this promise
    resolve()
    if (exchange.req?.socket) context.run({ exchange }, () => exchange.act())
  }))
  await delay(5)
}
