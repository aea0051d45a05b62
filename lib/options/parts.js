'use strict'

// Option `parts` of multipart: how many there may be, and how long their headers are. Numbers of `fields`, `total` and
// `limit` that were not given follow from the others, so they are set here, where all options are read.

const { hasValue } = require('../core/checks')
const { formatSize } = require('../core/wording')
const createLimits = require('../uploads/limits/create-limits')
const { MAX_HEADER } = require('../uploads/limits/reach')
const readNumbers = require('./number-group')

function readParts (value, name) {
  const limits = readNumbers(value, name, { max: undefined, header: undefined, name: undefined })
  if (limits.header > MAX_HEADER) throw new TypeError(`option ${name}.header must be ${formatSize(MAX_HEADER)} at most`)
  return limits
}

function setLimits (parts, name, settings) {
  const rules = hasValue(settings.given.files) ? settings.files : {}
  Object.assign(settings, createLimits({ ...settings, rules }))
  return settings.parts
}

module.exports = { readParts, setLimits }
