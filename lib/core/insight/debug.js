'use strict'

// Logs what a parser does, for DEBUG=body-parser:*. Not loaded by a parser that is
// made while DEBUG is not set.

const { EMPTY, FINISHED, MISMATCH } = require('../body/match')

const CODING_LINES = {
  br: 'brotli decompress body',
  deflate: 'inflate body',
  gzip: 'gunzip body',
  zstd: 'zstd decompress body'
}

/** @returns the same functions, which log what they do if the parser's namespace is enabled */
module.exports = function logCalls (calls, { namespace, traceLine }, inflate) {
  const debug = require('debug')(`body-parser:${namespace}`)
  if (!debug.enabled) return calls
  const isKnownCoding = (coding) => inflate && require('../coding/coded-body').findCoding(coding)

  return {
    match (req, headers) {
      const match = calls.match(req, headers)
      logMatch(debug, match, headers, isKnownCoding)
      return match
    },
    verify: calls.verify && logVerify(calls.verify, debug),
    parse (content, ...args) {
      debug('parse body')
      const line = traceLine(content)
      if (line !== null) debug(line)
      return calls.parse(content, ...args)
    }
  }
}

function logVerify (verify, debug) {
  // `createVerifyStage` passes a signal if the function has a fifth parameter.
  return Object.defineProperty(logged, 'length', { __proto__: null, value: verify.length })

  function logged (...args) {
    debug('verify body')
    return verify(...args)
  }
}

function logMatch (debug, match, headers, isKnownCoding) {
  if (match === FINISHED || match.refusal === 'read') return debug('body already parsed')
  if (match === EMPTY) return debug('skip empty body')
  debug('content-type %j', headers['content-type'])
  if (match === MISMATCH) return debug('skip parsing')
  if (match.refusal === 'not allowed') return debug('invalid charset')
  if (match.refusal !== null) return
  const coding = String(headers['content-encoding'] || 'identity').toLowerCase()
  debug('content-encoding "%s"', coding)
  if (coding !== 'identity') {
    if (!isKnownCoding(coding)) return
    debug(CODING_LINES[coding])
  }
  debug('read body')
}
