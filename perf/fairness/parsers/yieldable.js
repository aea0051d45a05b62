'use strict'

const { promisify } = require('node:util')
const collect = require('./collect')

let parseText
let last = Promise.resolve()

/** One at a time: two at once share its state, and one or both fail. */
async function parse (source) {
  parseText ??= promisify(require('yieldable-json').parseAsync)
  const text = (await collect(source)).toString()
  const value = last.then(() => parseText(text))
  last = value.catch(() => {})
  return value
}

module.exports = { name: 'yieldable-json', package: 'yieldable-json', parse }
