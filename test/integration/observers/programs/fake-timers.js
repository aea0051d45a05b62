'use strict'

const FakeTimers = require('@sinonjs/fake-timers')

// As a setup file of a test runner does it, before the app is loaded.
const { timers } = FakeTimers
FakeTimers.install({ toFake: Object.keys(timers).filter((name) => name !== 'nextTick') })

require('./serve')()
