'use strict'

// The parsers are loaded before zone.js, which patches what is there by then.
require('express')
require('zone.js/node')

const { Zone } = globalThis

require('./serve')({
  enter: (next) => Zone.current.fork({ name: 'request' }).run(next),
  look: () => Zone.current.name
})
