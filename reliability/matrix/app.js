'use strict'

// What acts use: tells the exchange what the app has read.

const { delay } = require('../../tools/waiting')

const SOON = 5 // ms

class App {
  /** @param {string} label of what the app is given, such as the name of the form field */
  constructor (exchange, label) {
    this.exchange = exchange
    this.label = label
    this.error = exchange.error
  }

  /** The app reads all of it, or has a promise of that. @returns the same, without an unhandled rejection */
  reads (content, label = this.label) {
    const reader = { label, state: 'pending', content: null, error: null }
    const change = (changes) => {
      Object.assign(reader, changes)
      this.exchange.check()
    }
    this.exchange.readers.push(reader)
    if (typeof content?.then !== 'function') return change({ state: 'read', content })
    content.then((content) => change({ state: 'read', content }), (error) => change({ state: 'failed', error }))
    return content
  }

  /** The app reads the first item in a loop, which it then leaves. @param {() => void} [act] before that */
  async readsOne (iterable, act = () => {}) {
    for await (const item of iterable) { // eslint-disable-line no-unreachable-loop
      this.sees(item)
      act()
      break
    }
  }

  throw () {
    throw this.error
  }

  /** The app has read some of it. */
  sees (some) {
    this.exchange.seen.push({ label: this.label, some })
  }

  /** Responds before the parser is done. */
  answer () {
    const { res } = this.exchange
    if (res.headersSent) return
    res.writeHead(202, { 'Content-Length': 5 })
    res.end('early')
  }

  soon () {
    return delay(SOON)
  }

  /** @returns {string} a path */
  target ({ field }) {
    return `${this.exchange.folders.kept}/${field}_`
  }
}

module.exports = App
