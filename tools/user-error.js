'use strict'

/** One that the user can correct, such as wrong input or a server that died. Commands report it in a line. */
class UserError extends Error {}

module.exports = UserError
