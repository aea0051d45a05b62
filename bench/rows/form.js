'use strict'

const { form } = require('./bodies')
const { post } = require('./row')

const BUDGET = { total: 0.5, overListening: 0.3 }

function flat (fields, extended, budget) {
  return {
    name: `form, ${fields} fields${extended ? ', extended' : ''}`,
    needs: ['form'],
    budget,
    heap: budget !== undefined && extended,
    build: () => post('urlencoded', form(fields, false), { options: { extended } })
  }
}

function nested (fields) {
  return {
    name: `form, ${fields} nested fields`,
    needs: ['nested form'],
    build: () => post('urlencoded', form(fields, true), { options: { extended: true } })
  }
}

/** @type {import('./row').Row[]} */
module.exports = [
  flat(5, false, BUDGET),
  flat(5, true, BUDGET),
  flat(50, false),
  flat(500, false),
  nested(5),
  nested(50),
  nested(500)
]
