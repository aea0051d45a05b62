'use strict'

// Runs cells, many at a time, each on a connection of its own, and those with faults again.

const { setImmediate: turn } = require('node:timers/promises')
const digestOf = require('../../test/support/content-digest')
const { delay } = require('../../tools/waiting')
const { send } = require('./behaviours')
const campaign = require('./campaign')
const Exchange = require('./exchange')
const Folders = require('./folders')
const judge = require('./judge')
const lanes = require('./lanes')
const { hasOracle } = require('./oracle')
const Servers = require('./servers')
const { oracle, parsers } = require('./subjects')

const GLANCE = 60 // ms to settle, if it cannot do so by itself
const LOOK = 5 // ms between two looks

/** ms to settle by itself; once the client has left, and once the connection is closed; until nothing is left. */
const PATIENCE = { patience: 600, parting: 300, tidying: 0 }
const PATIENCE_WITH_APPS = { patience: 1500, parting: 900, tidying: 600 }

module.exports = async function run (cells, fault = null) {
  new Response('').clone() // from its first call on, it has two ports on Node.js 20.0
  const servers = await Servers.open()
  const result = await campaign(cells, async (cell) => {
    const [seen, expected] = await Promise.all([
      observe(cell, parsers, servers, fault),
      hasOracle(cell) ? observe(cell, oracle, servers) : null
    ])
    return judge(cell, seen, expected)
  })
  await servers.close()
  return result
}

async function observe (cell, subject, servers, fault) {
  const { body, coding, declares, hasFiles, isChunked, isGiven, sent = body, type } = lanes[cell.lane]
  const folders = hasFiles ? new Folders() : null
  const exchange = new Exchange(cell, subject, folders, fault)
  const { patience, parting, tidying } = isGiven ? PATIENCE_WITH_APPS : PATIENCE
  const length = isChunked ? null : declares ?? body.length
  await servers.connect(exchange, cell, { type, coding, length, digest: digestOf(sent) })
  const end = await perform(exchange, patience, parting)
  await exchange.part(parting / 3)
  await turn()
  await turn()
  for (let passed = 0; passed < tidying && exchange.leftovers().length > 0; passed += LOOK) await delay(LOOK)
  const seen = { ...exchange.observe(), end }
  servers.forget(exchange)
  folders?.remove()
  return seen
}

/** @returns {Promise<import('./judge').End>} */
async function perform (exchange, patience, parting) {
  const { behaviour, doing: { hangs } } = exchange
  await send(exchange)
  exchange.sent.resolve()
  const isSettled = () => exchange.isSettled
  const isBounded = !hangs || behaviour.options !== undefined
  if (await exchange.until(isSettled, isBounded && !behaviour.leaves ? patience : GLANCE)) return 'at once'
  exchange.leave()
  await exchange.until(() => exchange.isClosed || exchange.isSettled, parting / 3)
  if (await exchange.until(isSettled, exchange.isClosed ? parting : 0)) return 'when the client had left'
  exchange.connection?.destroy()
  return await exchange.until(isSettled, parting) ? 'when the connection was closed' : null
}
