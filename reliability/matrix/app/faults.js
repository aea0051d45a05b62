'use strict'

// Faults that the matrix must find, `--inject-fault=NAME`.

const fs = require('node:fs')
const path = require('node:path')

/** By name: what becomes of a call of `next`. @type {Record<string, (exchange: object, next: () => void) => void>} */
const FAULTS = {
  content: (exchange, next) => next(), // see below
  pending () {},
  second (exchange, next) {
    next()
    next()
  },
  rejection (exchange, next) {
    Promise.reject(new Error('injected'))
    next()
  },
  held ({ budget }, next) {
    if (budget !== null) budget.used++
    next()
  },
  file ({ folders }, next) {
    if (folders !== null) fs.writeFileSync(path.join(folders.temporary, 'injected'), '')
    next()
  },
  descriptor ({ folders }, next) {
    if (folders !== null) fs.openSync(path.join(folders.folder, 'injected'), 'w')
    next()
  }
}

/** @param {string | null} name */
function inject (name, exchange) {
  if (name === null) return
  const { handOut, next } = exchange
  exchange.next = (...args) => FAULTS[name](exchange, () => next.apply(exchange, args))
  const cut = (thing) => name === 'content' && Buffer.isBuffer(thing) ? thing.subarray(1) : thing
  exchange.handOut = (thing, label) => handOut.call(exchange, cut(thing), label)
}

module.exports = { FAULTS: Object.keys(FAULTS), inject }
