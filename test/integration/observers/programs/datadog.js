'use strict'

const tracer = require('dd-trace').init()

require('./serve')({
  look: () => tracer.scope().active() !== null
})
