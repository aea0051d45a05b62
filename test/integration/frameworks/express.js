'use strict'

// Express 5 and 4, with this package as a middleware, and under `overrides` in
// place of Express's own.

const assert = require('node:assert/strict')
const { alike } = require('./support/alike')
const overridden = require('./support/overridden')
const { serve } = require('./support/serve')
const { failed, oracle, seen, stack, subject } = require('./support/stack')

const places = {
  'app.use': (express, app, parsers, handler) => {
    app.use(parsers)
    app.all('/', handler)
  },
  'a route': (express, app, parsers, handler) => app.all('/', parsers, handler),
  'a router': (express, app, parsers, handler) => {
    const router = express.Router()
    router.use(parsers)
    router.all('/', handler)
    app.use('/', router)
  }
}

function createApp (express, place, parsers) {
  const app = express()
  places[place](express, app, parsers, (req, res) => res.json(seen(req)))
  app.use((error, req, res, next) => {
    const content = failed(error)
    res.status(content.error.status).json(content)
  })
  return app
}

for (const name of ['express', 'express-4']) {
  describe(`Express ${require(`${name}/package.json`).version}`, () => {
    const express = require(name)
    const create = (place, bodyParser) => () => serve(createApp(express, place, stack(bodyParser)))

    for (const place of Object.keys(places)) {
      describe(`in ${place}`, () => {
        alike(create(place, subject), create(place, oracle))
      })
    }

    describe('under overrides', () => {
      alike(async () => {
        const its = (await overridden())(name)
        return serve(createApp(its, 'app.use', stack(its)))
      }, create('app.use', oracle))

      it('has no other parsers than ours', async () => {
        const require = await overridden()
        const its = require(name)
        for (const parser of ['json', 'raw', 'text', 'urlencoded']) {
          assert.equal(its[parser], require('body-parser')[parser])
        }
      })
    })
  })
}
