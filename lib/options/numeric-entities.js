'use strict'

// Option `interpretNumericEntities`: whether a form in ISO-8859-1 may have `&#9786;`. On for true alone.

module.exports = { read: (value) => value === true }
