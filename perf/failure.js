'use strict'

/**
 * Something that the user can mend: wrong input, a package that does not
 * install, a server that died. It is told in one line, without a stack.
 */
class Failure extends Error {}

module.exports = Failure
