'use strict'

// The way of a request: gate -> collect -> (inflate) -> finish. What the
// options decide is decided in createReader; what is left for `read` is what
// depends on the request.

const { refuse, watch } = require('./channel')
const { collect } = require('./collect')
const { load: loadCharsets } = require('./decode')
const errors = require('./errors')
const Exchange = require('./exchange')
const createFinish = require('./finish')
const { createGate, ensureBody } = require('./gate')
const { joinForGood, joinForNow } = require('./join')
const { later, warm } = require('./later')

/**
 * Makes the reader that every middleware is.
 *
 * @param {object} parser
 * @param {string} parser.name names the debug channel
 * @param {ReturnType<import('./options').readCommon>} parser.settings
 * @param {object | null} parser.charsets see gate.js
 * @param {(content: string | Buffer, charset: string | null, req: object) => unknown} parser.parse
 * @param {boolean} [parser.mayWait=false] whether `parse` may return a promise
 * @param {ReturnType<import('./cooperative')> | null} [parser.cooperation=null]
 *   how large bodies are parsed, if not at once
 * @param {(content: string | Buffer) => string | null} parser.label the last
 *   line of a trace
 * @returns {(req: object, res: object, next: Function) => void}
 */
function createReader ({ name, settings, charsets, parse, mayWait = false, cooperation = null, label }) {
  const { type, verify, rawBody } = settings
  const early = verify !== undefined
  const keepsBytes = charsets === null || verify !== undefined || rawBody
  const joinSmall = keepsBytes ? joinForGood : joinForNow
  const join = cooperation === null ? joinSmall : cooperation.keepApart(joinSmall)
  const debug = process.env.DEBUG ? require('./trace').tracerOf(name) : null // debug.enable() sets it, too
  const plain = { gate: createGate({ type, charsets, early }), verify, parse }
  const stages = debug === null ? plain : require('./trace').trace(plain, label, settings.inflate, debug)
  const finish = createFinish({ parse: stages.parse, mayWait, verify: stages.verify, rawBody, cooperation, announce: stages.announce })
  const gather = cooperation?.gather
  warm(errors.load)
  if (charsets?.allows('utf-16le')) warm(loadCharsets)
  if (!settings.buffered) return assemble(name, settings, stages.gate, join, gather, finish)

  const { createBufferedReader, createMarkedFinish } = require('./buffered')
  const marked = createMarkedFinish(finish)
  const gate = createGate({ type, charsets, early, admit: () => null })
  const read = assemble(name, settings, stages.gate, join, gather, marked)
  return createBufferedReader({ name, gate, limit: settings.limit, finish: marked }, read)
}

function assemble (name, settings, gate, join, gather, finish) {
  const { drainLimit, limit } = settings
  const readCoded = settings.inflate ? createInflate(name, settings, gather, finish) : refuseCoded(name)

  return function read (req, res, next) {
    const headers = req.headers
    const decision = gate(req, headers)
    if (decision.skip) {
      next()
      return
    }
    if (decision.refused !== null) {
      refuse(req, res, next, name, errors.unsupportedCharset(decision.charset))
      return
    }
    const coding = headers['content-encoding']
    if (!coding || isIdentity(coding)) {
      const length = declaredLength(headers)
      watch(new Exchange(req, res, next, decision, limit, length, finish, drainLimit, join), name, collect)
    } else if (typeof coding === 'string') {
      readCoded(req, res, next, decision, coding.toLowerCase())
    } else { // a wrapper's
      ensureBody(req)
      refuse(req, res, next, name, new TypeError('the header content-encoding is not a string'))
    }
  }
}

function isIdentity (coding) {
  return typeof coding === 'string' && coding.toLowerCase() === 'identity'
}

/** Bytes; null if not declared. Lenient about numbers, like body-parser. */
function declaredLength (headers) {
  const value = headers['content-length']
  return value === null || isNaN(value) ? null : parseInt(value, 10)
}

const loadInflation = later(() => require('./inflate'))

function loadWholeInflation () {
  loadInflation().load()
}

function createInflate (name, { codingLists, drainLimit, limit }, gather, finish) {
  const find = codingLists ? 'codingsOf' : 'codingOf'
  warm(loadWholeInflation)
  return (req, res, next, decision, field) => {
    let inflation
    try {
      inflation = loadInflation()
    } catch (error) {
      ensureBody(req)
      refuse(req, res, next, name, error)
      return
    }
    const codings = inflation[find](field)
    if (codings === undefined) {
      ensureBody(req)
      refuse(req, res, next, name, errors.unsupportedCoding(field))
      return
    }
    const exchange = new Exchange(req, res, next, decision, Infinity, null, finish, drainLimit, joinForGood)
    const length = req.headers['transfer-encoding'] === undefined ? declaredLength(req.headers) : null
    watch(exchange, name, (exchange) => inflation.collectCoded(exchange, codings, limit, length, gather))
  }
}

function refuseCoded (name) {
  return (req, res, next, decision, field) => {
    ensureBody(req)
    refuse(req, res, next, name, errors.codingRefused(field))
  }
}

module.exports = createReader
