'use strict'

// Ways of an app to read an array of records: of each, the parser and what the
// handler does. All return the same sum, so that each record is looked at.

const { pipeline } = require('node:stream/promises')
const { answers } = require('./answers')

/** @type {Record<string, (load: (id: string) => any, options: object) => [parse: Function, read: (req) => unknown]>} */
module.exports = {
  /** One value, once all has come. */
  whole: (load, options) => [load('express').json(options), ({ body }) => answers.sum(body)],

  /** Item by item, as the body comes. */
  streaming: (load, options) => [load('body-parser').jsonArray(options), async ({ body }) => {
    let sum = 0
    for await (const { id } of body) sum += id
    return sum
  }],

  /** Through streams that parse: stream-json. */
  piped (load) {
    const { default: chain } = load('stream-chain')
    const { default: parser } = load('stream-json')
    const { default: streamArray } = load('stream-json/streamers/stream-array.js')
    return [(req, res, next) => next(), async (req) => {
      let sum = 0
      await pipeline(req, chain([parser({ packValues: true, streamValues: false }), streamArray()]), async (items) => {
        for await (const { value: { id } } of items) sum += id
      })
      return sum
    }]
  }
}
