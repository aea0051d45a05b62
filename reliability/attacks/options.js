'use strict'

const { byPartOfName, fileName } = require('../../tools/command-line')
const attacks = require('./catalog')

/** @type {Record<string, import('../../tools/command-line').Option>} */
module.exports = {
  filter: { value: 'A,B', read: byPartOfName(attacks, 'an attack'), default: () => attacks, help: 'only attacks whose name contains one of these' },
  json: { value: 'FILE', read: fileName('.json'), help: 'write all figures there' },
  list: { help: 'name the attacks' }
}
