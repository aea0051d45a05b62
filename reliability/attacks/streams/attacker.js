'use strict'

// Sends the attack, in a process of its own: what it takes does not delay the
// innocents' requests.

const { answerOrders, sayReady } = require('../../../tools/ipc-worker')
const { exchange, serializeOnce, stream } = require('../client')
const { closedLoop, openLoop } = require('./open-loop')
const rows = require('./rows')

const BATCH = 16 // pipelined requests, of an attack by many small ones

const row = rows.find(({ name }) => name === process.argv[2])

async function start () {
  const messageOf = await row.prepare()
  const requestOf = serializeOnce()
  const size = requestOf(messageOf(0)).pieces.reduce((sum, { length }) => sum + length, 0)
  const attack = row.each === undefined
    ? (connection, index) => exchange(connection, requestOf(messageOf(index)))
    : async (connection, index) => (await stream(connection, messageOf, index * BATCH, BATCH)).at(-1)

  answerOrders({
    probe: async ({ port, duration }) => ({ count: await closedLoop(port, attack, duration) }),
    attack: async ({ port, rate, duration }) => {
      const { outcomes, missed } = await openLoop(port, attack, rate, duration)
      return { outcomes, missed }
    }
  })
  sayReady({ size })
}

start()
