'use strict'

const { fileName, number, oneOf, SEED } = require('../../tools/command-line')
const faults = require('./faults')

const FRAMEWORKS = ['http', 'express']

/** @type {Record<string, import('../../tools/command-line').Option>} */
module.exports = {
  minutes: { value: 'N', read: number(0.02, 24 * 60), default: 10, help: 'how long' },
  framework: { value: 'NAME', read: oneOf(FRAMEWORKS), default: FRAMEWORKS[0], help: `one of ${FRAMEWORKS.join(', ')}` },
  guarded: { help: 'with budget, cooperative, timeout and minRate, and clients that stall' },
  seed: SEED,
  json: { value: 'FILE', read: fileName('.json'), help: 'write all samples there' },
  'inject-fault': { value: 'NAME', read: oneOf(Object.keys(faults)), help: `that must be found, one of ${Object.keys(faults).join(', ')}` }
}
