'use strict'

// The context in which `next` is called, as those keep it who carry something
// through a request: AsyncLocalStorage, async hooks, and domains.

const { AsyncLocalStorage, createHook, executionAsyncId } = require('node:async_hooks')
const domain = require('node:domain') // eslint-disable-line n/no-deprecated-api -- apps still use it
const { alike, codedKinds, kinds } = require('../support/observation')

const storage = new AsyncLocalStorage()
const aborted = { body: '{"a"', cut: true }

for (const [kind, request] of Object.entries({ ...kinds, ...codedKinds, 'a request that is cut off': aborted })) {
  describe(`the context of ${kind}`, () => {
    alike('is that of the call: AsyncLocalStorage', ({ req, res, parser, note, next }) => {
      storage.run('request', () => parser(req, res, (error) => {
        note(storage.getStore())
        next(error)
      }))
    }, request)

    alike('is that of each call, where two parsers read at once: AsyncLocalStorage', ({ req, res, parser, note, next }) => {
      const seen = {} // zlib decides which is first
      for (const name of ['first', 'second']) {
        storage.run(name, () => parser(req, res, (error) => {
          seen[name] = [storage.getStore(), error?.type]
          if (Object.keys(seen).length < 2) return
          note(seen)
          next()
        }))
      }
    }, request)

    alike('is that of the call: a domain', ({ req, res, parser, note, next }) => {
      const own = domain.create()
      own.run(() => parser(req, res, (error) => {
        note(process.domain === own)
        next(error)
      }))
      note(process.domain === own)
    }, request)

    alike('is that of the call: async hooks', ({ req, res, parser, note, next }) => {
      const chain = new Chain()
      chain.run('request', () => parser(req, res, (error) => {
        note(chain.current())
        chain.stop()
        next(error)
      }))
    }, request)
  })
}

/** Hands a value on from each asynchronous resource to those made in it, as cls-hooked does. */
class Chain {
  values = new Map()
  hook = createHook({
    init: (id, type, trigger) => {
      const value = this.values.get(executionAsyncId()) ?? this.values.get(trigger)
      if (value !== undefined) this.values.set(id, value)
    }
  })

  run (value, act) {
    this.hook.enable()
    const id = executionAsyncId()
    const before = this.values.get(id)
    this.values.set(id, value)
    try {
      act()
    } finally {
      this.values.set(id, before)
    }
  }

  current () {
    return this.values.get(executionAsyncId())
  }

  stop () {
    this.hook.disable()
  }
}
