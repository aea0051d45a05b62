'use strict'

// Runs cells, many at a time, each on a connection of its own and with a folder
// of its own.

const digestOf = require('../../../test/support/content-digest')
const openDescriptors = require('../../../tools/open-descriptors')
const { delay } = require('../../../tools/waiting')
const campaign = require('../campaign')
const Servers = require('../servers')
const { ours, setPace } = require('../subjects')
const Exchange = require('./exchange')
const { inject } = require('./faults')
const Folders = require('./folders')
const judge = require('./judge')

const PACE = 10 // a second that the parsers wait takes a tenth of it
const CALM = 48 // cells that are tried again at a time; most of them wait for something that does not happen
const PATIENCE = 1500 // ms to settle by itself
const GLANCE = 60 // ms, if it cannot do so
const PARTING = 900 // ms to settle once the client has left; again once the connection is closed
const TIDYING = 600 // ms until nothing is left
const ENDING = 5000 // ms, on a busy machine, until nothing keeps the process alive
const LOOK = 5 // ms between two looks

/**
 * @param {import('./cells').Cell[]} cells
 * @param {string | null} [fault] to inject: see ./faults.js
 */
module.exports = async function run (cells, fault = null) {
  setPace(PACE)
  new Response('').clone() // from its first call on, it has two ports on Node.js 20.0
  const before = await resources()
  const servers = await Servers.open()
  const result = await campaign(cells, (cell) => observe(cell, servers, fault), servers, CALM)
  await servers.close()
  setPace(1)
  const left = await newResources(before)
  const faults = left.map((name) => `left: ${name}`)
  if (left.length > 0) result.found.push({ cell: { name: 'after all cells' }, faults, again: 'once' })
  return result
}

async function observe (cell, servers, fault) {
  const folders = cell.lane.includes('disk') ? new Folders() : null
  const exchange = new Exchange(cell, ours, folders)
  const { lane: { coding }, body: { type, bytes } } = exchange
  inject(fault, exchange)
  const length = coding === null ? bytes.length : null
  await servers.connect(exchange, cell, { type, coding, length, digest: digestOf(bytes) })
  const end = await perform(exchange)
  await exchange.part(PARTING / 3)
  for (let passed = 0; passed < TIDYING && exchange.leftovers().length > 0; passed += LOOK) await delay(LOOK)
  const left = exchange.leftovers()
  servers.claim(exchange, exchange.errors)
  servers.forget(exchange)
  folders?.remove()
  return judge(cell, exchange.observe(), end, left)
}

/** @returns {Promise<import('./judge').End>} */
async function perform (exchange) {
  const { behaviour, perform: { hangs } } = exchange
  await behaviour.send(exchange)
  exchange.sent.resolve()
  const isSettled = () => exchange.isSettled
  const isBounded = !hangs || behaviour.options !== undefined
  if (await exchange.until(isSettled, isBounded && !behaviour.leaves ? PATIENCE : GLANCE)) return 'at once'
  exchange.client.close()
  await exchange.until(() => exchange.isClosed || exchange.isSettled, PARTING / 3)
  if (await exchange.until(isSettled, exchange.isClosed ? PARTING : 0)) return 'when the client had left'
  exchange.connection?.destroy()
  return await exchange.until(isSettled, PARTING) ? 'when the connection was closed' : null
}

/** What keeps the process alive, and its sockets. */
async function resources () {
  await delay(LOOK)
  const sockets = openDescriptors().filter((target) => target.startsWith('socket:'))
  return [...process.getActiveResourcesInfo(), ...sockets.map(() => 'socket')]
}

/** @returns {Promise<string[]>} resources that there are more of than before, once all has had time to end */
async function newResources (before) {
  let left
  for (let passed = 0; passed < ENDING; passed += LOOK) {
    left = await resources()
    for (const name of before) if (left.includes(name)) left.splice(left.indexOf(name), 1)
    if (left.length === 0) break
  }
  return left
}
