'use strict'

/** Loads a file once more, beside the copy that others have. */
module.exports = function loadAgain (file) {
  const cached = require.cache[file]
  delete require.cache[file]
  try {
    return require(file)
  } finally {
    require.cache[file] = cached
  }
}
