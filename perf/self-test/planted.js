'use strict'

// Parsers with a planted cost, of which the truth is known. A copy of this file
// goes into a package, so it needs nothing else but burning.js beside it.

const { burner } = require('./burning')

/** Each request costs so much (ns), as soon as its body is there. */
function atOnce (cost) {
  const burn = burner(cost)
  return parserOf((done) => {
    burn()
    done()
  })
}

/** All requests of a turn of the event loop together cost so much: the fewer there are in a turn, the more each costs. */
function perTurn (cost) {
  const burn = burner(cost)
  let waiting = []
  return parserOf((done) => {
    if (waiting.push(done) > 1) return
    setImmediate(() => {
      const all = waiting
      waiting = []
      burn()
      for (const one of all) one()
    })
  })
}

function parserOf (work) {
  const json = () => (req, res, next) => {
    const chunks = []
    req.on('data', (chunk) => { chunks.push(chunk) })
    req.on('end', () => work(() => {
      req.body = JSON.parse(Buffer.concat(chunks).toString())
      next()
    }))
  }
  return { json }
}

module.exports = { atOnce, perTurn }
