'use strict'

// Text and raw bodies: nothing is parsed, so all of the time is reading.

const { json } = require('./bodies')
const { post } = require('./row')

function row (kind, label, size) {
  const build = () => {
    const { bytes } = json(size)
    return post(kind, { bytes, value: kind === 'text' ? bytes.toString() : bytes })
  }
  return { name: `${kind} ${label}`, requires: [kind], build }
}

/** @type {import('./row').Row[]} */
module.exports = ['text', 'raw'].flatMap((kind) => [row(kind, '274 B', 274), row(kind, '60 KB', 60000)])
