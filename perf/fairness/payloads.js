'use strict'

const { record } = require('../payloads')
const { json } = require('../requests')

const SMALL = 300 // bytes

/** @returns {import('../requests').LoadRequest} what most clients send */
function small () {
  return json(record(SMALL), SMALL)
}

/** @returns {import('../requests').LoadRequest} an object around an array of records */
function large (megabytes) {
  const bytes = Math.round(megabytes * 1e6)
  return json(record(bytes), bytes)
}

module.exports = { small, large }
