'use strict'

// Is the option `cooperative` free where a body is below its threshold? With
// it and without it by turns, as ratios across rows would be too coarse.

const ours = require('./competitors/ours')

/** @type {import('./competitors').Competitor[]} */
module.exports = [
  { ...ours, name: 'without' },
  { ...ours, name: 'with cooperative', create: (kind, options) => ours.create(kind, { ...options, cooperative: true }) }
]
