'use strict'

// What other code sees of a request while a parser reads it: code that listens to
// it, replaces its methods, or reads it as well.

const { alike, EVENTS, kinds, moments, noteEvents, stateOf, text } = require('../support/observation')

describe('observers of a request', () => {
  for (const [kind, request] of Object.entries(kinds)) {
    describe(kind, () => {
      const events = EVENTS.filter((name) => !request.isDrained || name !== 'readable')

      alike('find the same state as with body-parser when next is called, and afterwards',
        ({ req, res, parser, note, next }) => {
          parser(req, res, (error) => {
            for (const [when, later] of Object.entries(moments)) later(() => note(when, stateOf(req)))
            next(error)
          })
          note('after the call', req.readableFlowing)
        }, request)

      alike('see the same events in the same order', ({ req, res, parser, note, next }) => {
        noteEvents(req, note, events)
        parser(req, res, next)
        note('after the call')
      }, request)

      const listen = (req, note) => {
        for (const name of events) {
          // Which would keep it from flowing
          if (name !== 'readable') req.on(name, (value) => note(name, text(value)))
        }
      }

      alike('get the same events if they listened before the parser', ({ req, res, parser, note, next }) => {
        listen(req, note)
        parser(req, res, next)
      }, request)

      alike('get the same events if they listened after the parser', ({ req, res, parser, note, next }) => {
        parser(req, res, next)
        listen(req, note)
      }, request)

      if (request.isDrained) return

      alike('see the same bytes through a method `on` of the request', ({ req, res, parser, note, next }) => {
        req.on = watched(req.on, note)
        parser(req, res, next)
      }, request)
    })
  }

  describe('that read as well', () => {
    const acts = {
      listen: (req, note) => req.on('data', (chunk) => note('data', text(chunk))).on('end', () => note('end')),
      resume: (req) => req.resume(),
      'read()': (req, note) => note(text(req.read())),
      'pause, and resume a turn later': (req) => {
        req.pause()
        setImmediate(() => req.resume())
      },
      'listen for readable, and read()': (req, note) => req.on('readable', () => note(text(req.read())))
    }
    for (const [what, act] of Object.entries(acts)) {
      for (const [when, later] of Object.entries(moments)) {
        alike(`see the same if they ${what}, ${when}`, ({ req, res, parser, note, next }) => {
          parser(req, res, (error) => {
            note(stateOf(req))
            next(error)
          })
          later(() => act(req, note))
        })
      }
      alike(`see the same if they ${what}, before the parser`, ({ req, res, parser, note, next }) => {
        act(req, note)
        parser(req, res, next)
      })
    }
  })

  describe('two parsers in one call', () => {
    const all = { type: '*/*' }
    const pairs = {
      'json and text': ({ json, text }) => [json(), text(all)],
      'text, raw and json': ({ json, raw, text }) => [text(all), raw(all), json()],
      'json, and json with a limit that is too low': ({ json }) => [json(), json({ limit: 1 })]
    }
    for (const [pair, make] of Object.entries(pairs)) {
      alike(`call back in the same order: ${pair}`, ({ req, res, bodyParser, note, next }) => {
        const parsers = make(bodyParser)
        let calls = 0
        for (const [index, parser] of parsers.entries()) {
          parser(req, res, (error) => {
            note(index, error?.type, text(req.body))
            if (++calls === parsers.length) next()
          })
        }
      })
    }
  })
})

/** As Sentry does it: wraps the listeners of the content. */
function watched (on, note) {
  return function (name, listener) {
    if (name !== 'data' && name !== 'end') return on.call(this, name, listener)
    return on.call(this, name, function (...values) {
      note(name, ...values.map(text))
      return listener.apply(this, values)
    })
  }
}
