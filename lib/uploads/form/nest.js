'use strict'

// Option `extended`: fields nest by the brackets in their names, as qs nests
// them. qs drops what it cannot nest, such as `.qty` of `items[0].qty`, so that
// fields lose their names: such a name is kept as it is instead.

const define = require('../../json-keys/define')
const createNestedParse = require('../../formats/urlencoded/nested')

const NESTS = /^[^[\]]+(?:\[[^[\]]*\])*$/

/** @returns {(fields: Record<string, string | string[]>, count: number) => object} throws 400 if it nests too deep */
module.exports = function createNest (settings) {
  const parse = createNestedParse(settings)
  return (fields, count) => {
    const [nesting, flat] = [{}, []]
    for (const name of Object.keys(fields)) {
      if (NESTS.test(name)) define(nesting, name, fields[name])
      else flat.push(name)
    }
    const body = parse(nesting, 'utf-8', count)
    for (const name of flat) define(body, name, fields[name]) // no name of the one is a name of the other
    return body
  }
}
