'use strict'

// Faults that the run must find: `--inject-fault=NAME` changes a file of lib/
// while it is loaded.

/**
 * @typedef {object} Fault
 * @property {string} file of lib/
 * @property {string} from
 * @property {string} to
 */

/** @type {Record<string, Fault>} by the name of the target that must find it */
module.exports = {
  brotli: {
    file: 'core/brotli-header.js',
    from: 'const nibbles = readBits(bytes, at + 2, 2) + 4',
    to: 'const nibbles = readBits(bytes, at + 2, 1) + 4'
  },
  collector: {
    file: 'core/collect.js',
    from: "  req.on('data', onData)\n",
    to: "  nextTick(() => req.on('data', onData))\n"
  },
  'content-type': {
    file: 'core/match.js',
    from: 'values.indexOf(value)',
    to: 'values.findIndex((known) => known?.slice(0, 12) === value.slice(0, 12))'
  },
  form: {
    file: 'form/flat.js',
    from: 'else if (typeof present === \'string\') form[name] = [present, value]',
    to: 'else if (typeof present === \'string\') form[name] = present === \'\' ? value : [present, value]'
  },
  strict: {
    file: 'json/syntax-error.js',
    from: 'while (text.includes(String.fromCharCode(code))) code = code === 0x7F ? 0xFFFF : code - 1',
    to: 'code = 0x23'
  },
  urlencoded: {
    file: 'types/urlencoded.js',
    from: "text.includes('utf8=')",
    to: "text.startsWith('utf8=')"
  }
}
