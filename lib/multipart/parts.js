'use strict'

const errors = require('../core/errors')
const { hasLeft } = require('../core/promise')

/**
 * `parts(req, res)` of a parser: the parts, one after the other. Like a loop over
 * the records of ndjson, it reads nothing before the first one is asked for.
 *
 * @param {(changes: object) => Function} compose a parser with another store
 */
module.exports = async function * iterateParts (compose, req, res) {
  const queue = [] // fields, which the limits bound, and at most one file
  let item = null
  let outcome = null
  let abandoned = null
  let wake = () => {}

  const put = (item) => {
    if (abandoned !== null) throw abandoned
    queue.push(item)
    wake()
  }
  const store = (part) => new Promise((resolve, reject) => put({ part, resolve, reject }))
  const onField = (field, value) => put({ part: { field, value } })
  compose({ store, onField })(req, res, (...error) => {
    outcome = error
    wake()
  })
  try {
    while (true) {
      item = queue.shift() ?? null
      if (item !== null) {
        yield item.part
        item.resolve?.() // what was not read of a file is discarded
      } else if (outcome === null) {
        await new Promise((resolve) => { wake = resolve })
      } else {
        break
      }
    }
    if (outcome.length > 0) throw outcome[0]
    if (hasLeft(req)) throw errors.aborted(null, 0) // skipped as nothing can be read
  } finally { // the loop may end before the parts do
    abandoned = errors.create(400, 'the parts are not read to the end', { type: 'multipart.abandoned' })
    for (const left of [item, ...queue]) left?.reject?.(abandoned)
  }
}
