'use strict'

const { alike, moments, stateOf } = require('../support/observation')

describe('requests that are answered before they are parsed', () => {
  const bodies = { 'a body': 'amount=1000000', 'an empty body': '' }
  for (const [what, body] of Object.entries(bodies)) {
    const request = { body, type: 'application/x-www-form-urlencoded' }
    for (const [when, later] of Object.entries(moments)) {
      alike(`are read like with body-parser, with ${what}, by a parser that is called ${when}`,
        ({ req, res, bodyParser, note, next }) => {
          res.end('OK')
          later(() => bodyParser.urlencoded()(req, res, (error) => {
            note(stateOf(req))
            next(error)
          }))
        }, request)

      alike(`are read like with body-parser where the connection is closed, with ${what}, by a parser that is called ${when}`, ({ req, res, bodyParser, note, done }) => {
        req.socket.once('close', () => {
          note('closed')
          done()
        })
        res.end('OK')
        later(() => bodyParser.urlencoded()(req, res, (error) => note(stateOf(req), error?.type, req.body)))
      }, { ...request, headers: { Connection: 'close' } })
    }
  }
})
