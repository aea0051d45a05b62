'use strict'

const http = require('node:http')
const { setTimeout: sleep } = require('node:timers/promises')
const { split } = require('../../tools/http-message')
const { expectedOf } = require('../scenarios')

const PIECE = 64 * 1024 // bytes; one per turn, as this process sends the small requests as well

/**
 * Sends one large post after the other on some connections, until it is stopped:
 * as many as the server takes, or at most so many a second.
 */
class LargePosts {
  /**
   * @param {import('../scenarios/requests').LoadRequest} request
   * @param {{ url: string, streams: number, postRate: number | null }} settings
   */
  constructor (request, { url, streams, postRate }) {
    this.url = url
    this.headers = { ...request.headers, 'Content-Length': request.body.length }
    this.pieces = split(request.body, Math.ceil(request.body.length / PIECE))
    this.expected = expectedOf(request, 'tail')
    this.streams = streams
    this.interval = postRate === null ? 0 : 1000 / postRate // ms
    this.due = 0 // the next one
    this.waiting = new AbortController()
    this.agent = new http.Agent({ keepAlive: true, maxSockets: streams })
    this.running = []
    this.stopped = false
    this.problem = null // the first one, in words
    this.answered = [] // [ms that it took, when it ended]
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
    this.due = Math.max(due + this.interval, performance.now()) // posts that cannot be sent in time are left out
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

  /** @returns {number[]} durations, in ms, of the posts that ended in this time */
  between (began, ended) {
    return this.answered.filter(([, at]) => at >= began && at < ended).map(([time]) => time)
  }

  /** Aborts the posts that are underway. */
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

module.exports = LargePosts
