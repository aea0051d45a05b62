'use strict'

// Faults that the matrix must find, `--inject-fault=NAME`.

const fs = require('node:fs')
const path = require('node:path')

/** By name: what is wrong with an exchange. @type {Record<string, (exchange: import('./exchange')) => void>} */
const FAULTS = {
  content (exchange) {
    const { handOut } = exchange
    const cut = (thing) => Buffer.isBuffer(thing) ? thing.subarray(1) : thing
    exchange.handOut = (thing, label) => handOut.call(exchange, cut(thing), label)
  },
  pending (exchange) {
    exchange.next = () => {}
  },
  second: changeNext((exchange, next) => {
    next()
    next()
  }),
  rejection: changeNext((exchange, next) => {
    Promise.reject(new Error('injected'))
    next()
  }),
  held: changeNext(({ budget }, next) => {
    if (budget !== null) budget.used++
    next()
  }),
  file: changeNext(({ folders }, next) => {
    if (folders !== null) fs.writeFileSync(path.join(folders.temporary, 'injected'), '')
    next()
  }),
  descriptor: changeNext(({ folders }, next) => {
    if (folders !== null) fs.openSync(path.join(folders.folder, 'injected'), 'w')
    next()
  })
}

function changeNext (change) {
  return (exchange) => {
    const { next } = exchange
    exchange.next = (...args) => change(exchange, () => next.call(exchange, ...args))
  }
}

/** @param {string | null} name */
function inject (name, exchange) {
  if (name !== null) FAULTS[name](exchange)
}

module.exports = { FAULTS: Object.keys(FAULTS), inject }
