'use strict'

const path = require('node:path')
const { byPartOfName, fileName, number, wholeNumber } = require('../../../tools/command-line')
const rows = require('./rows')

/** @type {Record<string, import('../../../tools/command-line').Option>} */
module.exports = {
  filter: { value: 'A,B', read: byPartOfName(rows, 'a stream'), default: () => rows, help: 'only streams whose name contains one of these' },
  rounds: { value: 'N', read: wholeNumber(1, 100), default: 3, help: 'of each target' },
  seconds: { value: 'N', read: number(0.1, 60), default: 0.6, help: 'of a round' },
  parser: { value: 'FOLDER', read: (text) => path.resolve(text), help: 'of the package to test, such as another working tree; by default this one' },
  json: { value: 'FILE', read: fileName('.json'), help: 'write all figures there' },
  list: { help: 'name the streams' }
}
