'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const RawConnection = require('../../../tools/raw-connection')
const { MB } = require('../catalog/fill')
const { post, records } = require('./bodies')
const withProcesses = require('./processes')

const COUNT = 150
const TARGETS = ['fast-body-parser', 'fast-body-parser, cooperative', 'body-parser']
const TIMEOUT = 60_000 // ms without a response
const LOOK = 20 // ms between two samples

/** Samples a server until the end. */
class Watch {
  constructor (server) {
    this.server = server
    this.isOver = false
    this.buffers = 0
    this.running = this.run()
  }

  async run () {
    while (!this.isOver) {
      this.buffers = Math.max(this.buffers, (await this.server.ask('sample')).buffers)
      await delay(LOOK)
    }
  }

  /** @returns {Promise<number>} the most bytes of buffers that were seen */
  async end () {
    this.isOver = true
    await this.running
    return this.buffers
  }
}

/** @type {import('./catalog').Scenario} */
module.exports = {
  name: 'cooperative-pipelined',
  what: `one connection that pipelines ${COUNT} bodies of 1 MB`,
  columns: ['most pending', 'peak buffers MB', 'peak RSS above idle MB'],
  rows: TARGETS,
  measure: (target, settings) => withProcesses(async (processes) => {
    const server = await processes.serve({ target, package: settings.parser, parser: 'json', options: { limit: '2mb' } })
    const { rss } = await server.ask('sample')
    const request = post(records(MB))
    const connection = await RawConnection.open(server.port)
    const responses = connection.responses(COUNT, TIMEOUT)
    const watch = new Watch(server)
    for (let i = 0; i < COUNT; i++) await connection.write(request)
    const seen = await responses
    const buffers = await watch.end()
    if (seen.length !== COUNT) throw new Error(`${COUNT} requests had ${seen.length} responses`)
    const { mostPending, peak } = await server.ask('sample')
    connection.close()
    return [mostPending, buffers / MB, (peak - rss) / MB]
  }),
  faultsOf: ({ 'fast-body-parser, cooperative': [pending] }) => pending > 2 ? ['more than two are pending'] : []
}
