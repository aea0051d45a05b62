'use strict'

// What a form needs of a request of Node.js, and what it becomes on that request: stages, as ../../compose.js has them.

const { createHash } = require('node:crypto')
const refuseSkipped = require('../../answers/refuse-skipped')
const { decoderOf } = require('../../core/body/charset')
const Feed = require('../../core/body/feed')
const onDisconnect = require('../../core/request/disconnect')
const Source = require('../../core/source/source')
const FileRules = require('../limits/file-rules')
const FileStream = require('../storage/file-stream')
const { createOpenFile } = require('../storage/open-file')

const openFile = createOpenFile(FileStream)

/**
 * What a form needs of its request, and of the runtime.
 *
 * @typedef {object} Host
 * @property {object} request
 * @property {(callback: Function, ...args: unknown[]) => unknown} call a function of the app's, in its async context
 * @property {(fields: object) => object} contextOf what functions of the app get besides a file
 * @property {(reason: unknown) => void} abort tells those that were called that the form has failed
 * @property {import('../storage/open-file').OpenFile} openFile
 * @property {typeof import('node:crypto').createHash | undefined} createHash undefined where there is no node:crypto
 * @property {(charset: string) => ((bytes: Uint8Array) => string) | null} decoderOf
 *
 * @param {import('../../core/body/exchange')} exchange
 * @returns {Host}
 */
function hostOf (exchange) {
  const { req } = exchange
  return {
    request: req,
    call: (callback, ...args) => exchange.runInAsyncScope(callback, undefined, ...args),
    contextOf: (fields) => ({ req, fields, signal: exchange.signal }),
    abort: (reason) => exchange.controller?.abort(reason),
    openFile,
    createHash,
    decoderOf
  }
}

/**
 * The stages of a parser that takes forms.
 *
 * @param {import('../../core/body/feed').CreateSink} createForm
 * @param {(exchange: object, form: object, proceed: Function) => void} show puts a form that is complete on the request
 * @returns {Pick<import('../../compose').Draft, 'streamStage' | 'parseStage'>} of a form that was read from the
 *   request, and of the bytes of one that other code has read
 */
function createStages (createForm, show) {
  return {
    streamStage: (proceed) => (exchange, form) => show(exchange, form, proceed),
    parseStage: (proceed) => (exchange, bytes) => parse(exchange, bytes, createForm, (form) => {
      show(exchange, form, proceed)
    })
  }
}

function parse (exchange, bytes, createForm, proceed) {
  const feed = new Feed(Feed.UNGUARDED, close)
  let form
  try {
    form = createForm(exchange, feed)
  } catch (error) {
    exchange.fail(error)
    return
  }
  exchange.beginStep(feed.fail)
  const forgetClient = onDisconnect(exchange.req, () => exchange.onLeft())
  feed.begin(form, Source.of(bytes))

  function close (error) {
    exchange.endStep()
    forgetClient()
    exchange.runInAsyncScope(report, undefined, error)
  }

  function report (error) {
    if (error === null) return proceed(form)
    removeOnFailure(exchange, form)
    exchange.fail(error)
  }
}

/** Removes the files of a form once the exchange fails, before the error is passed on. */
function removeOnFailure (exchange, form) {
  exchange.undoOnFailure((done, reason) => form.stop(reason, done))
}

/**
 * Stages for a request that the parser skips. They refuse it where a loop over parts would find no parts in content of
 * another type, and where a handler relies on a file that a rule requires.
 *
 * @param {object} settings of `multipart`
 * @param {(req: object) => boolean} isOwn whether this parser has read the form
 * @returns {import('../../compose').Stage[]}
 */
function requireForm (settings, isOwn) {
  const isLoop = settings.openLoop !== undefined
  return isLoop || FileRules.needForm(settings, 'POST') ? [requireStage] : []

  function requireStage (proceed) {
    const refuse = refuseSkipped(requireFiles(proceed))
    return (exchange) => {
      const { req } = exchange
      const isNeeded = isLoop || (FileRules.needForm(settings, req.method) && !isOwn(req))
      if (isNeeded) refuse(exchange)
      else proceed(exchange)
    }
  }

  /** Without content. */
  function requireFiles (proceed) {
    return (exchange) => {
      try {
        FileRules.requireForm(settings, exchange.req.method)
      } catch (error) {
        exchange.fail(error)
        return
      }
      proceed(exchange)
    }
  }
}

module.exports = { createStages, hostOf, removeOnFailure, requireForm }
