'use strict'

// A server with one parser, in a process of its own, that counts requests.

const http = require('node:http')
const http2 = require('node:http2')
const { setTimeout: delay } = require('node:timers/promises')
const { answerOrders, serve } = require('../../../tools/ipc-worker')
const targets = require('../targets')

const BACKLOG = 4096 // connections that may wait to be accepted; the kernel has a bound of its own
const SETTLE = 50 // ms before a collection, in which finished requests are released

/**
 * @type {{ target: string, package?: string, parser: string, options: object, budget?: object, keeps?: string, isHttp2?: boolean }}
 *   `keeps`: what the app keeps of each request, such as `body`
 */
const settings = JSON.parse(process.argv[2])
const load = () => targets[settings.target](settings.package)
const budget = settings.budget && load().createBudget(settings.budget)
const kept = []
const options = {
  ...settings.options,
  ...(budget && { budget }),
  ...(settings.keeps === 'verify' && { verify: (req, res, bytes) => { kept.push(bytes) } })
}
const middleware = load()[settings.parser](options)

let requests = 0
let pending = 0 // requests whose parser has not called `next`
let mostPending = 0
let connections = 0
let mostUsed = 0 // bytes of the budget, as often as a request begins or ends
const outcomes = {}

function look () {
  mostPending = Math.max(mostPending, pending)
  mostUsed = Math.max(mostUsed, budget?.used ?? 0)
}

const server = (settings.isHttp2 ? http2 : http).createServer((req, res) => {
  requests++
  pending++
  look()
  middleware(req, res, (error) => {
    look()
    pending--
    const outcome = error === undefined ? '200' : `${error.status ?? 500} ${error.type ?? error.code}`
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (settings.keeps in req) kept.push(req[settings.keeps])
    res.writeHead(error === undefined ? 200 : error.status ?? 500, { 'content-length': 0 })
    res.end()
  })
})
server.requestTimeout = 0
server.on('connection', (socket) => {
  connections++
  socket.on('close', () => { connections-- })
})

answerOrders({
  sample () {
    const { rss, arrayBuffers, heapUsed } = process.memoryUsage()
    const peak = process.resourceUsage().maxRSS * 1024
    return { requests, pending, mostPending, connections, outcomes, rss, peak, buffers: arrayBuffers, heap: heapUsed, used: budget?.used ?? null, mostUsed }
  },
  async collect () {
    for (let i = 0; i < 3; i++) {
      await delay(SETTLE)
      globalThis.gc()
    }
  }
})
serve(server, { port: 0, host: '127.0.0.1', backlog: BACKLOG })
