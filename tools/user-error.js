'use strict'

/**
 * An error that the user can correct: wrong input, a package that does not
 * install, a server that died. Commands report it in one line, without a stack.
 */
class UserError extends Error {}

module.exports = UserError
