'use strict'

const { alike, moments, stateOf } = require('../support/observation')

describe('a request that is answered before it is parsed', () => {
  const bodies = { 'a body': 'amount=1000000', 'an empty body': '' }
  for (const [what, body] of Object.entries(bodies)) {
    const request = { body, type: 'application/x-www-form-urlencoded' }
    for (const [when, later] of Object.entries(moments)) {
      alike(`is read the same, with ${what}, ${when}`, ({ req, res, bodyParser, note, next }) => {
        res.end('OK')
        later(() => bodyParser.urlencoded()(req, res, (error) => {
          note(stateOf(req))
          next(error)
        }))
      }, request)

      alike(`is read the same while its connection lasts, with ${what}, ${when}`, ({ req, res, bodyParser, note, done }) => {
        req.socket.once('close', () => {
          note('closed')
          done()
        })
        res.end('OK')
        later(() => bodyParser.urlencoded()(req, res, (error) => note(stateOf(req), error?.type, req.body)))
      }, { ...request, fields: 'Connection: close\r\n' })
    }
  }
})
