'use strict'

/**
 * A server that somebody else started, with `npm run perf:server`: as a Target,
 * but it cannot be measured from inside.
 */
class Remote {
  /** @param {{ letter: string, url: string }} side */
  constructor (side, scenario) {
    this.side = side
    this.name = `server of side ${side.letter} at ${side.url}, ${scenario.name}`
    this.url = side.url
    this.died = new Promise(() => {}) // the driver tells
  }

  async open () {
    return this.url
  }

  async start () {}

  async stop () {}

  async report () {
    return { meter: null, packages: [] }
  }

  async close () {}
}

module.exports = Remote
