'use strict'

// DEBUG=body-parser:* tracing. A parser made while it is off has none of this
// in it: the stages are wrapped at creation, or not at all.

const { EMPTY, FINISHED, MISMATCH } = require('./gate')

const CODING_LINES = {
  br: 'brotli decompress body',
  deflate: 'inflate body',
  gzip: 'gunzip body',
  zstd: 'zstd decompress body'
}

/**
 * Who makes a parser asks for it only where DEBUG is set.
 *
 * @param {string} name `json`, `raw`, `text` or `urlencoded`
 * @returns {Function | null} null if tracing is off
 */
function tracerOf (name) {
  const debug = require('debug')(`body-parser:${name}`)
  return debug.enabled ? debug : null
}

/** The same stages, telling what they do. */
function trace ({ gate, verify, parse }, label, inflate, debug) {
  const codingOf = inflate ? require('./inflate').codingOf : () => undefined

  function announce (content) {
    debug('parse body')
    const line = label(content)
    if (line !== null) debug(line)
  }

  return {
    announce,
    gate (req, headers) {
      const decision = gate(req, headers)
      traceGate(debug, decision, headers, codingOf)
      return decision
    },
    verify: verify && function (...args) {
      debug('verify body')
      return verify(...args)
    },
    parse (content, charset, req) {
      announce(content)
      return parse(content, charset, req)
    }
  }
}

function traceGate (debug, decision, headers, codingOf) {
  if (decision === FINISHED) return debug('body already parsed')
  if (decision === EMPTY) return debug('skip empty body')
  debug('content-type %j', headers['content-type'])
  if (decision === MISMATCH) return debug('skip parsing')
  if (decision.refused === 'unknown') return
  if (decision.refused !== null) return debug('invalid charset')
  const coding = String(headers['content-encoding'] || 'identity').toLowerCase()
  debug('content-encoding "%s"', coding)
  if (coding !== 'identity') {
    if (codingOf(coding) === undefined) return
    debug(CODING_LINES[coding])
  }
  debug('read body')
}

module.exports = { trace, tracerOf }
