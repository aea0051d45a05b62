'use strict'

// Runs cells, many at a time, each on a connection of its own.

const http = require('node:http')
const http2 = require('node:http2')
const { once } = require('node:events')
const { setImmediate: turn } = require('node:timers/promises')
const { split } = require('../../tools/http-message')
const { delay } = require('../../tools/waiting')
const clients = require('./clients')
const Exchange = require('./exchange')
const judge = require('./judge')
const { lanes, PIECES } = require('./lanes')
const { context, oracle, oursWith } = require('./subjects')

const CONCURRENCY = 96
const CALM = 16 // when a fault is looked for again
const ARRIVAL = 20 // ms for a piece, which an act may keep from arriving
const PATIENCE = 600 // ms for `next` and the response
const PARTING = 300 // ms for `next` once the client has left
const ATTEMPTS = 3 // to see a fault again

/**
 * @param {import('./cells').Cell[]} cells
 * @param {string | null} [fault] to inject: see ../faults.js
 * @returns {Promise<{ found: Suspect[], once: Suspect[] }>} faults that were seen again, and those that were not
 * @typedef {{ cell: import('./cells').Cell, faults: string[], again: string }} Suspect
 */
async function run (cells, fault = null) {
  const ours = oursWith(fault)
  const servers = await openServers()
  const tryCell = async (cell) => {
    const { call, isChunked, isOwn } = lanes[cell.lane]
    const hasOracle = !isOwn && !(cell.http === 2 && isChunked && !call) // body-parser skips these
    const [seen, expected] = await Promise.all([observe(cell, ours, servers), hasOracle ? observe(cell, oracle, servers) : null])
    return judge(cell, seen, expected)
  }
  const suspects = new Map()
  await concurrently(CONCURRENCY, cells, async (cell) => {
    const faults = await tryCell(cell)
    if (faults.length > 0) suspects.set(cell, faults)
  })
  const found = []
  const once = []
  const tryAgain = async ([cell, faults]) => {
    const attempts = []
    for (let i = 0; i < ATTEMPTS; i++) attempts.push(await tryCell(cell))
    const failed = attempts.filter((faults) => faults.length > 0)
    if (failed.length > 0) found.push({ cell, faults: failed[0], again: `${failed.length} of ${ATTEMPTS} times again` })
    else if (faults.length > 0) once.push({ cell, faults, again: 'not again' })
  }
  await concurrently(CALM, suspects, tryAgain)
  const bystanders = once.flatMap(({ cell }) => servers.bystanders.get(cell) ?? []) // one of them may be at fault
  await concurrently(1, [...new Set(bystanders)].filter((cell) => !suspects.has(cell)).map((cell) => [cell, []]), tryAgain)
  await servers.close()
  return { found, once }
}

async function concurrently (count, items, work) {
  const queue = items[Symbol.iterator]()
  await Promise.all(Array.from({ length: count }, async () => {
    for (const item of { [Symbol.iterator]: () => queue }) await work(item)
  }))
}

async function observe (cell, subject, servers) {
  const exchange = new Exchange(cell, subject)
  const { body, coding, declares, isChunked, type } = exchange.lane
  const notify = () => exchange.check()
  const id = servers.expect(exchange, cell)
  const client = exchange.client = await clients[cell.http].open(servers.ports[cell.http], notify)
  const headers = { 'content-type': type, 'x-id': id, ...coding && { 'content-encoding': coding } }
  const isOver = () => exchange.calls.length > 0 && client.isOver
  for (const [index, piece] of split(body, PIECES).entries()) {
    if (index === 0) client.begin(headers, isChunked ? null : declares ?? body.length, piece)
    else client.write(piece)
    await exchange.until(() => exchange.arrived > index || client.isOver, ARRIVAL)
    if (index === 1 && exchange.step.isAmid) await amid(exchange)
    else await turn()
  }
  if (declares === undefined) client.finish()
  await exchange.until(isOver, PATIENCE)
  exchange.hasLeft = true
  client.leave()
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

/** One server for each version of HTTP; a request tells by a header which exchange it belongs to. */
async function openServers () {
  const expected = new Map()
  const bystanders = new Map() // cell -> those that ran when something was uncaught
  let ids = 0
  const handle = (req, res) => {
    const { exchange } = expected.get(req.headers['x-id'])
    const holder = context.getStore()
    if (holder !== undefined) holder.exchange = exchange
    context.run({ exchange }, () => exchange.handle(req, res))
  }
  const servers = { 1: http.createServer(handle), 2: http2.createServer(handle) }
  for (const server of Object.values(servers)) {
    server.prependListener('connection', () => context.enterWith({ exchange: null }))
    server.on('sessionError', () => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const onUncaught = (error) => {
    const exchange = error?.exchange ?? context.getStore()?.exchange
    exchange?.uncaught.push(error?.code ?? String(error))
    if (error?.exchange !== undefined) return
    const running = [...expected.values()]
    const suspect = running.find((item) => item.exchange === exchange) ?? running[0] // a tick has lost its context by now
    if (suspect !== undefined) bystanders.set(suspect.cell, running.map(({ cell }) => cell))
  }
  process.on('uncaughtException', onUncaught)
  return {
    ports: { 1: servers[1].address().port, 2: servers[2].address().port },
    bystanders,
    expect (exchange, cell) {
      const id = String(++ids)
      expected.set(id, { exchange, cell })
      return id
    },
    forget: (id) => expected.delete(id),
    async close () {
      await Promise.all(Object.values(servers).map((server) => new Promise((resolve) => server.close(resolve))))
      process.off('uncaughtException', onUncaught)
    }
  }
}

module.exports = run
