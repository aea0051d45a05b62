'use strict'

// Faults that the run must find: `--plant=NAME` shows that it does. Each is
// put into a file of lib/ while that is loaded.

/**
 * @typedef {object} Plant
 * @property {string} file of lib/
 * @property {string} from
 * @property {string} to
 */

/** @type {Record<string, Plant>} by the name of the target that must find it */
module.exports = {
  brotli: {
    file: 'brotli.js',
    from: 'const nibbles = readBits(bytes, at + 2, 2) + 4',
    to: 'const nibbles = readBits(bytes, at + 2, 1) + 4'
  },
  collector: {
    file: 'collect.js',
    from: 'if (flowing === null && req.complete) {',
    to: 'if (flowing === null && req.complete && length === null) {\n    req.read()\n    nextTick(finish, exchange)\n  } else if (flowing === null && req.complete) {'
  },
  form: {
    file: 'form.js',
    from: 'else if (typeof present === \'string\') form[name] = [present, value]',
    to: 'else if (typeof present === \'string\') form[name] = present === \'\' ? value : [present, value]'
  },
  gate: {
    file: 'gate.js',
    from: 'headers.indexOf(header)',
    to: 'headers.findIndex((known) => known?.slice(0, 12) === header.slice(0, 12))'
  },
  strict: {
    file: 'absent.js',
    from: 'while (text.includes(String.fromCharCode(code))) code--',
    to: 'code = 0x23'
  },
  urlencoded: {
    file: 'types/urlencoded.js',
    from: "text.includes('utf8=')",
    to: "text.startsWith('utf8=')"
  }
}
