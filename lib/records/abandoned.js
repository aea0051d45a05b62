'use strict'

const errors = require('../core/errors')

/** What ends the reading of a body whose loop is left. @returns {Error} */
module.exports = () => errors.create(400, 'the records are not read to the end', { type: 'records.abandoned' })
