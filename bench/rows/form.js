'use strict'

const { form } = require('./bodies')
const { post } = require('./row')

function row (fields, { nested = false, extended = nested } = {}) {
  return {
    name: `form, ${fields} ${nested ? 'nested ' : ''}fields${extended && !nested ? ', extended' : ''}`,
    requires: [nested ? 'nested form' : 'form'],
    build: () => post('urlencoded', form(fields, nested), { options: { extended } })
  }
}

/** @type {import('./row').Row[]} */
module.exports = [
  row(5),
  row(5, { extended: true }),
  ...[50, 500].map((fields) => row(fields)),
  ...[5, 50, 500].map((fields) => row(fields, { nested: true }))
]
