'use strict'

// Options that need the whole body, which parsers of streams never have.

module.exports = {
  read (value, name, fallback, { parserName }) {
    if (!value) return fallback
    throw new TypeError(`option ${name} cannot be combined with ${parserName}, which never has the whole body`)
  }
}
