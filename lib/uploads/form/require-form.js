'use strict'

const refuseSkipped = require('../../answers/refuse-skipped')
const FileRules = require('../limits/file-rules')

/**
 * Stages for a request that the parser skips. A loop over parts would take content of another type for none, and a
 * handler would look for a file that a rule requires.
 *
 * @param {object} settings of `multipart`
 * @param {(req: object) => boolean} isOwn whether this parser has read the form
 * @returns {import('../../compose').Stage[]}
 */
module.exports = function requireForm (settings, isOwn) {
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
