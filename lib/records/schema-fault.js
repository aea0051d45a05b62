'use strict'

/** What the schema of the app throws: not an error of the record, which would have `issues`. */
module.exports = class SchemaFault {
  constructor (error) {
    this.error = error
  }
}
