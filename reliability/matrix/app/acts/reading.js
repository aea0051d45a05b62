'use strict'

const mapValues = require('../../../../tools/map-values')

/**
 * Acts that read everything.
 *
 * @param {Record<string, (thing: any, app: import('../app')) => unknown>} readers by name: what they read
 * @returns {Record<string, import('./streams').Act>}
 */
module.exports = (readers) => mapValues(readers, (read) => ({
  reads: true,
  run: (thing, app) => app.reads(read(thing, app))
}))
