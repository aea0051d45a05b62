'use strict'

const { form } = require('./bodies')
const { post } = require('./row')

function flat (fields, extended) {
  return {
    name: `form, ${fields} fields${extended ? ', extended' : ''}`,
    requires: ['form'],
    build: () => post('urlencoded', form(fields, false), { options: { extended } })
  }
}

function nested (fields) {
  return {
    name: `form, ${fields} nested fields`,
    requires: ['nested form'],
    build: () => post('urlencoded', form(fields, true), { options: { extended: true } })
  }
}

/** @type {import('./row').Row[]} */
module.exports = [
  flat(5, false),
  flat(5, true),
  flat(50, false),
  flat(500, false),
  nested(5),
  nested(50),
  nested(500)
]
