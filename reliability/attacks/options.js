'use strict'

const { fileName } = require('../../tools/command-line')
const UserError = require('../../tools/user-error')
const attacks = require('./catalog')

/** @type {Record<string, import('../../tools/command-line').Option>} */
module.exports = {
  filter: { value: 'A,B', read: select, default: () => attacks, help: 'only attacks whose name contains one of these' },
  json: { value: 'FILE', read: fileName('.json'), help: 'write all figures there' },
  list: { help: 'name the attacks' }
}

function select (text) {
  const parts = text.split(',').map((part) => part.trim())
  const selected = attacks.filter(({ name }) => parts.some((part) => name.includes(part)))
  if (selected.length === 0) throw new UserError(`must be part of an attack's name, not ${JSON.stringify(text)}; --list names them all`)
  return selected
}
