'use strict'

// Runs cells, many at a time, each on a connection of its own.

const { setImmediate: turn } = require('node:timers/promises')
const { split } = require('../../../tools/http-message')
const { delay } = require('../../../tools/waiting')
const campaign = require('../campaign')
const clients = require('../clients')
const Servers = require('../servers')
const { context, oracle, oursWith } = require('../subjects')
const Exchange = require('./exchange')
const judge = require('./judge')
const { lanes, PIECES } = require('./lanes')

const ARRIVAL = 20 // ms for a piece, which an act may keep from arriving
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
  const { body, coding, declares, isChunked, type } = exchange.lane
  const notify = () => exchange.check()
  const id = servers.expect(exchange, cell)
  const client = exchange.client = await clients[cell.http].open(servers.portOf(cell.http), notify)
  const headers = { 'content-type': type, 'x-id': id, ...coding && { 'content-encoding': coding } }
  const isOver = () => exchange.calls.length > 0 && client.isOver
  for (const [index, piece] of split(body, PIECES).entries()) {
    if (index === 0) client.begin(headers, isChunked ? null : declares ?? body.length, piece)
    else client.more(piece)
    await exchange.until(() => exchange.arrived > index || client.isOver, ARRIVAL)
    if (index === 1 && exchange.step.isAmid) await amid(exchange)
    else await turn()
  }
  if (declares === undefined) client.finish()
  await exchange.until(isOver, PATIENCE)
  exchange.hasLeft = true
  client.close()
  await exchange.until(() => exchange.isClosed, PARTING / 2)
  exchange.connection?.destroy() // as a server does in the end whose client is gone
  await exchange.until(() => exchange.isClosed && exchange.calls.length > 0, PARTING)
  await turn()
  await turn()
  servers.forget(id)
  return exchange.observe()
}

async function amid (exchange) {
  await delay(2)
  await new Promise((resolve) => setImmediate(() => { // outside of this promise
    resolve()
    if (exchange.req !== null) exchange.req.socket && context.run({ exchange }, () => exchange.act())
  }))
  await delay(5)
}
