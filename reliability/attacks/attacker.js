'use strict'

// Sends an attack in a process of its own, so that its work does not delay the
// requests of the background clients.

const { handleCommands, failAndExit, sayReady } = require('../../tools/ipc')
const attacks = require('./catalog')
const { clientOf, sendAtRate, sendInTurn } = require('./client')

async function start (name) {
  const { size, exchange } = await clientOf(attacks.find((attack) => attack.name === name))
  handleCommands({
    probe: async ({ port, duration }) => ({ count: await sendInTurn(port, exchange, duration) }),
    attack: ({ port, rate, duration }) => sendAtRate(port, exchange, rate, duration)
  })
  sayReady({ size })
}

start(process.argv[2]).catch(failAndExit)
