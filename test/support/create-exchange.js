'use strict'

const { IncomingMessage } = require('node:http')
const { Socket } = require('node:net')
const collectors = require('../../lib/core/body/collect')
const Exchange = require('../../lib/core/body/exchange')
const { Match } = require('../../lib/core/body/match')
const attachGuards = require('../../lib/core/guards/attach-guards')
const GuardedExchange = require('../../lib/core/guards/guarded-exchange')

/**
 * An exchange for tests of single modules.
 *
 * @param {object} req
 * @param {object} [settings]
 * @param {object} [settings.res]
 * @param {(error?: unknown) => void} [settings.next]
 * @param {string | null} [settings.charset]
 * @param {Function | null} [settings.decode]
 * @param {object} [settings.parser] fields of the parser
 */
function createExchange (req, { res = {}, next = () => {}, charset = 'utf-8', decode = String, ...parser } = {}) {
  req.headers ??= {}
  const { guardCollect } = attachGuards({ guardCollect: (collect) => collect }, {})
  const [Class, guard] = parser.createGuards ? [GuardedExchange, guardCollect] : [Exchange, (collect) => collect]
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
