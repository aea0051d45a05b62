'use strict'

// Node 24.16 and later: `req.signal` aborts when the client disconnects. Other
// versions have nothing to test.

const { IncomingMessage } = require('node:http')
const { alike, kinds } = require('../support/observation')

const HAS_SIGNAL = 'signal' in IncomingMessage.prototype
const describeWhere = HAS_SIGNAL ? describe : () => {}

describeWhere('req.signal, as with body-parser,', () => {
  for (const [when, look] of Object.entries({ 'before the parser': true, 'after it': false })) {
    for (const what of ['JSON', 'an empty body', 'a syntax error', 'another type']) {
      alike(`aborts if the client disconnects after ${what}, where it is looked at first ${when}`,
        ({ req, res, parser, note, done }) => {
          if (look) note(req.signal.aborted)
          parser(req, res, (error) => {
            note('next', error?.type, req.body, req.signal.aborted)
            req.signal.addEventListener('abort', () => {
              note('abort', req.signal.reason.name)
              done()
            })
            req.socket.destroy()
          })
        }, kinds[what])
    }

    alike(`aborts if the client disconnects amid a body, where it is looked at first ${when}`,
      ({ req, res, parser, note, done }) => {
        if (look) req.signal.addEventListener('abort', () => note('abort'))
        parser(req, res, (error) => setImmediate(() => { // docs/differences.md: `next` itself comes after the abort
          note('next', error?.type, req.signal.aborted)
          done()
        }))
      }, { body: '{"a":1}', cut: true })

    alike(`says the same when the response is sent, where it is looked at first ${when}`, ({
      req,
      res,
      parser,
      note,
      done
    }) => {
      if (look) note(req.signal.aborted)
      parser(req, res, () => {
        res.once('close', () => {
          note('closed', req.signal.aborted)
          done()
        })
        res.end('OK')
      })
    })
  }
})
