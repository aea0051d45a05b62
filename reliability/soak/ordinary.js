'use strict'

// The ordinary traffic: whole requests one after the other, which autocannon sends.

const { sendClosedLoop } = require('../../tools/lab/closed-loop')
const { shuffle } = require('../../tools/random')
const { differenceOf, nextId } = require('./client')

const AMOUNT = 25 // requests of each connection at a time

/**
 * @param {number} port of a server on the loopback interface
 * @param {number} connections
 * @param {{ mix: import('./traffic').Message[], random: () => number, fault: (text: string) => void }} load
 * @param {number} duration s
 */
module.exports = async function sendOrdinary (port, connections, { mix, random, fault }, duration) {
  const end = performance.now() + duration * 1000
  const whole = mix.filter(({ chunked }) => !chunked)
  while (performance.now() < end) {
    const requests = shuffle([...whole], random).slice(0, AMOUNT).map(requestOf)
    const sent = sendClosedLoop({ port, requests, connections, amount: AMOUNT * connections })
    await sent.catch(({ message }) => fault(message))
  }
}

/** A message with an id of its own each time that it is sent. */
function requestOf ({ method, headers, body, expect }) {
  return {
    method,
    body,
    setupRequest (request, context) {
      context.id = nextId()
      return { ...request, headers: { ...headers, 'X-Id': context.id } }
    },
    check: (status, body, { id }, headers) => differenceOf(expect, id, { status, headers, body })
  }
}
