'use strict'

const { decoderOf } = require('../../core/body/charset')
const FileStream = require('../storage/file-stream')
const createOpenFile = require('../storage/open-file')

const openFile = createOpenFile(FileStream)

/**
 * What a form needs of its request, and of the runtime.
 *
 * @typedef {object} Host
 * @property {object} request
 * @property {(act: Function, ...args: unknown[]) => unknown} call a function of the app's, in its async context
 * @property {(fields: object) => object} contextOf what functions of the app get besides a file
 * @property {(reason: unknown) => void} abort tells those that were called that the form has failed
 * @property {import('../storage/open-file').OpenFile} openFile
 * @property {(charset: string) => ((bytes: Uint8Array) => string) | null} decoderOf
 *
 * @param {import('../../core/body/exchange')} exchange
 * @returns {Host}
 */
module.exports = function hostOf (exchange) {
  const { req } = exchange
  return {
    request: req,
    call: (act, ...args) => exchange.runInAsyncScope(act, undefined, ...args),
    contextOf: (fields) => ({ req, fields, signal: exchange.signal }),
    abort: (reason) => exchange.controller?.abort(reason),
    openFile,
    decoderOf
  }
}
