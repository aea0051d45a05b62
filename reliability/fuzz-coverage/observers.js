'use strict'

// Code beside the parser, as monitoring and wrappers have it: records what it
// sees of a request.

const { IncomingMessage } = require('node:http')

const EVENTS = ['aborted', 'close', 'data', 'end', 'error', 'pause', 'readable', 'resume']
const LISTENED = EVENTS.filter((name) => name !== 'readable') // which would change how the request flows

/** Records of requests whose class has a method `on` of the test's own. */
const records = new WeakMap()

const plain = (value) => Buffer.isBuffer(value) ? String(value) : value?.code ?? value?.message ?? value

/** A method `on` that sees the listeners of the content called. */
function watchedOn (on, recordOf) {
  return function (name, listener) {
    const record = recordOf(this)
    if (record === undefined || (name !== 'data' && name !== 'end')) return on.call(this, name, listener)
    return on.call(this, name, function (...values) {
      record('on', name, ...values.map(plain))
      return listener.apply(this, values)
    })
  }
}

const { on: inheritedOn } = IncomingMessage.prototype

/** @param {boolean} isOn whether the method `on` of all requests is replaced */
function patchPrototype (isOn) {
  if (isOn) IncomingMessage.prototype.on = watchedOn(inheritedOn, (req) => records.get(req))
  else delete IncomingMessage.prototype.on // it inherits the other
}

/** Listens to all events. */
function listen (req, record, method, label) {
  for (const name of LISTENED) req[method](name, (value) => record(label, name, plain(value)))
}

/** Before the first call of a parser. */
function observeBefore (req, record, observers) {
  if (observers.has('ownEmit')) watchEmit(req, record)
  if (observers.has('ownOn')) req.on = watchedOn(req.on, () => record)
  if (observers.has('prototypeOn')) records.set(req, record)
  if (observers.has('listenersBefore')) listen(req, record, 'on', 'before')
  if (observers.has('onceBefore')) listen(req, record, 'once', 'once')
}

/** After each call of a parser. */
function observeAfter (req, record, observers) {
  if (observers.has('listenersAfter')) listen(req, record, 'on', 'after')
  if (observers.has('prepended')) listen(req, record, 'prependListener', 'prepended')
}

function watchEmit (req, record) {
  const { emit } = req
  req.emit = function (name, ...values) {
    if (EVENTS.includes(name)) record('emit', name, ...values.map(plain))
    return emit.call(this, name, ...values)
  }
}

function stateOf (req) {
  const { aborted, complete, destroyed, readableDidRead, readableEnded, readableFlowing, readableLength } = req
  return { aborted, complete, destroyed, readableDidRead, readableEnded, readableFlowing, readableLength }
}

function listenersOf (req) {
  return EVENTS.reduce((sum, name) => sum + req.listenerCount(name), 0)
}

module.exports = { listen, listenersOf, observeAfter, observeBefore, patchPrototype, stateOf }
