'use strict'

const { wait } = require('../lifetime/wait')
const onDisconnect = require('../request/disconnect')

/**
 * Waits for a promise of the app's, but not after the client has left or a deadline has passed.
 *
 * @param {boolean} [isOurs] work of this package, which takes the time that its size needs: no deadline ends it
 */
module.exports = function waitForApp (exchange, promise, onFulfilled, onRejected, isOurs = false) {
  let forgetClient
  wait(promise, { follow, forget }, onFulfilled, onRejected, (fault) => exchange.fail(fault))

  function follow (end) {
    if (!isOurs) exchange.beginStep(end)
    forgetClient = onDisconnect(exchange.req, () => {
      exchange.beginStep(end)
      exchange.onLeft()
    })
  }

  function forget () {
    exchange.endStep()
    forgetClient()
  }
}
