'use strict'

const { IncomingMessage } = require('node:http')
const { Socket } = require('node:net')
const collectors = require('../../lib/core/body/collect')
const Exchange = require('../../lib/core/body/exchange')
const { Match } = require('../../lib/core/body/match')
const attachGuards = require('../../lib/options/guards')

/** An exchange for tests of single modules; `parser`: fields of it. */
function createExchange (req, { res = {}, next = () => {}, charset = 'utf-8', decode = String, ...parser } = {}) {
  req.headers ??= {}
  const plain = { Exchange, guardCollect: (collect) => collect }
  const { Exchange: Class, guardCollect: guard } = parser.createGuards ? attachGuards(plain, {}) : plain
  return new Class({
    req,
    res,
    next,
    match: new Match({ charset, decode }),
    parser: {
      name: 'text',
      collect: guard(collectors.collectToKeep),
      collectCoded: guard(collectors.collect),
      Exchange: Class,
      isUnreadable: null,
      openDigest: () => null,
      limit: Infinity,
      drainLimit: Infinity,
      ...parser
    }
  })
}

/** A request as Node's HTTP/1 server makes it, without a connection. */
function createRequest () {
  const socket = new Socket()
  Object.defineProperty(socket, 'readable', { value: true, configurable: true })
  return new IncomingMessage(socket)
}

/** The whole body has arrived. */
function endRequest (req) {
  req.complete = true
  req.push(null)
}

/** Names of the events that have listeners. */
function listenedTo (emitter) {
  return emitter.eventNames().filter((name) => emitter.listenerCount(name) > 0).sort()
}

module.exports = { createExchange, createRequest, endRequest, listenedTo }
