'use strict'

/** A Standard Schema. @param {(value: any) => unknown} validate */
module.exports = (validate) => ({ '~standard': { version: 1, vendor: 'test', validate } })
