'use strict'

// Other code that acts on a request while it is parsed, as in the matrix.

const acts = require('../matrix/request/acts')
const steps = require('../matrix/request/steps')

/** Of the client, of HTTP/2, and what would end the process. */
const isOfServer = ([name, { http }]) => http !== 2 && !/^(client|throw|nothing)/.test(name)

/** All acts of a server, at all steps beside the parser. @type {{ act: string, step: string }[]} */
const disturbances = Object.entries(acts).filter(isOfServer).flatMap(([act]) => Object.keys(steps)
  .filter((step) => steps[step].hook === undefined && !steps[step].isAmid)
  .map((step) => ({ act, step })))

/**
 * Calls `parse`, and acts when the request says so.
 *
 * @param {object} req
 * @param {object} res
 * @param {() => void} parse
 */
function disturb (req, res, parse) {
  const { 'x-act': name, 'x-step': step } = req.headers
  if (name === undefined) return parse()
  const act = () => {
    try {
      acts[name].run({ req, res, error: new Error(name) })
    } catch {} // such as what an event without listeners throws
  }
  steps[step].arrange({ req, parse, act })
}

module.exports = { disturb, disturbances }
