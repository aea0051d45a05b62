'use strict'

// The files of the options that change more than how a body is parsed. Not in
// ./table.js, because they need modules of Node, which a bundle of ../web must
// not name.

module.exports = {
  __proto__: null,
  buffered: () => require('../buffered'),
  rawBody: () => require('../coding/raw-body'),
  budget: () => require('../guards'),
  timeout: () => require('../guards'),
  minRate: () => require('../guards'),
  schema: () => require('../answers/schema'),
  cooperative: () => require('../json/cooperative')
}
