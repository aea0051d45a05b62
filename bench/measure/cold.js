'use strict'

const { alternate, inProcess } = require('./alternate')

const PROBE = require.resolve('./cold-probe')

/** Name -> a module to load, and whether it makes parsers: then one of JSON is created as well. */
const MODULES = {
  ours: ['../../index.js', true],
  'ours, json alone': ['../../lib/types/json.js', true],
  'body-parser': ['body-parser', true],
  'body-parser, json alone': ['body-parser/lib/types/json.js', true],
  'body-parser 1': ['body-parser-1', true],
  milliparsec: ['milliparsec', true],
  'co-body': ['co-body', false],
  fastify: ['fastify/lib/content-type-parser.js', false]
}

/**
 * Loads each module in a fresh process, again and again.
 *
 * @param {{ node: string, coldRounds: number }} settings path of the Node that runs the processes
 * @returns {Promise<Record<string, { time: number, modules: number }[]>>} ms, and how many modules were loaded
 */
module.exports = function measureCold ({ node, coldRounds }) {
  return alternate(Object.keys(MODULES), coldRounds, (name) => inProcess([node, PROBE, ...MODULES[name]]))
}
