'use strict'

// `parts(req, res)` of a parser: an iterator of the parts, one after the other.

const errors = require('../core/errors')

/** @param {(changes: object) => Function} compose a parser with another store */
module.exports = function iterateParts (compose, req, res) {
  const queue = [] // fields, which the limits bound, and at most one file
  const state = { wake: () => {}, outcome: null, abandoned: null }

  const put = (item) => {
    if (state.abandoned !== null) throw state.abandoned
    queue.push(item)
    state.wake()
  }
  const store = (part) => new Promise((resolve, reject) => put({ part, resolve, reject }))
  const onField = (field, value) => put({ part: { field, value } })
  compose({ store, onField })(req, res, (...error) => {
    state.outcome = error
    state.wake()
  })
  return iterate(queue, state)
}

async function * iterate (queue, state) {
  let item = null
  try {
    while (true) {
      item = queue.shift() ?? null
      if (item !== null) {
        yield item.part
        item.resolve?.() // what was not read of a file is discarded
      } else if (state.outcome === null) {
        await new Promise((resolve) => { state.wake = resolve })
      } else {
        break
      }
    }
    if (state.outcome.length > 0) throw state.outcome[0]
  } finally { // the loop may end before the parts do
    state.abandoned = errors.create(400, 'the parts are not read to the end', { type: 'multipart.abandoned' })
    for (const left of [item, ...queue]) left?.reject?.(state.abandoned)
  }
}
