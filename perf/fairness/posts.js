'use strict'

// The stream of large posts.

const http = require('node:http')
const { setTimeout: sleep } = require('node:timers/promises')
const { expectedOf } = require('../scenario')
const { pieces } = require('../wire')

const PIECE = 64 * 1024 // bytes; sent one a turn, since this process has the small requests to think of as well

/**
 * One large post after the other on each of some connections, until it is told
 * to stop: as many as the server takes, or so many a second if it takes them.
 * All of them send the same bytes.
 */
class Posts {
  /**
   * @param {import('../requests').LoadRequest} request
   * @param {{ url: string, streams: number, postRate: number | null }} settings
   */
  constructor (request, { url, streams, postRate }) {
    this.url = url
    this.headers = { ...request.headers, 'Content-Length': request.body.length }
    this.pieces = pieces(request.body, Math.ceil(request.body.length / PIECE))
    this.expected = expectedOf(request, 'tail')
    this.streams = streams
    this.interval = postRate === null ? 0 : 1000 / postRate // ms
    this.due = 0 // the next one
    this.waiting = new AbortController()
    this.agent = new http.Agent({ keepAlive: true, maxSockets: streams })
    this.running = []
    this.stopped = false
    this.problem = null // the first one, in words
    this.answered = [] // what took how long and ended when: [ms, ms]
  }

  start () {
    this.due = performance.now()
    this.running = Array.from({ length: this.streams }, () => this.repeat())
  }

  async repeat () {
    while (!this.stopped && this.problem === null) {
      try {
        await this.turn()
        const began = performance.now()
        const { status, body } = await this.post()
        const ended = performance.now()
        if (status !== this.expected.status || body !== this.expected.body) {
          this.problem ??= `a large post had the answer ${status} ${JSON.stringify(body.slice(0, 60))}`
        }
        this.answered.push([ended - began, ended])
      } catch (error) {
        if (!this.stopped) this.problem ??= `a large post: ${error.message}`
      }
    }
  }

  /** Resolves when the next one is due. */
  async turn () {
    if (this.interval === 0) return
    const { due } = this
    this.due = Math.max(due + this.interval, performance.now()) // what cannot be sent in time is left out
    await sleep(Math.max(0, due - performance.now()), undefined, { signal: this.waiting.signal })
  }

  post () {
    return new Promise((resolve, reject) => {
      const req = http.request(this.url, { method: 'POST', agent: this.agent, headers: this.headers })
      req.on('error', reject)
      req.on('response', (res) => {
        let body = ''
        res.setEncoding('latin1').on('data', (text) => { body += text })
        res.on('end', () => resolve({ status: res.statusCode, body }))
        res.on('error', reject)
      })
      this.send(req)
    })
  }

  async send (req) {
    for (const piece of this.pieces) {
      if (req.destroyed) return
      if (!req.write(piece)) await room(req)
      await new Promise((resolve) => setImmediate(resolve))
    }
    req.end()
  }

  /** @returns {number[]} ms that those took which ended in this time */
  between (began, ended) {
    return this.answered.filter(([, at]) => at >= began && at < ended).map(([time]) => time)
  }

  /** Breaks off what is underway. */
  async stop () {
    this.stopped = true
    this.waiting.abort()
    this.agent.destroy()
    await Promise.all(this.running)
  }
}

function room (req) {
  return new Promise((resolve) => {
    const done = () => {
      req.off('drain', done).off('close', done)
      resolve()
    }
    req.on('drain', done).on('close', done)
  })
}

module.exports = Posts
