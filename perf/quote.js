'use strict'

/** @returns {string} a word of a command line, quoted for a POSIX shell where it needs that */
module.exports = (text) => /^[\w./:=@%,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
