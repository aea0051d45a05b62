'use strict'

/** For functions of other modules that tests of a `describe` replace, such as those of node:fs, until a test ends. */
module.exports = function useReplacements () {
  const undo = []
  afterEach(() => { while (undo.length > 0) undo.pop()() })
  return (object, name, value) => {
    const { [name]: before } = object
    undo.push(() => { object[name] = before })
    object[name] = value
  }
}
