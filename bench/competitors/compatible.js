'use strict'

const parsers = require('../../tools/compatible')
const minimal = require('./minimal')

/** The least that a drop-in replacement can cost: see ../../tools/compatible. */
module.exports = {
  name: 'compatible',
  checks: [],
  supports: minimal.supports.filter((ability) => ability !== 'type check'),

  create (kind, { reviver }) {
    return reviver ? parsers.compatible((bytes) => JSON.parse(bytes.toString(), reviver)) : parsers[kind]()
  }
}
