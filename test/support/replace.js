'use strict'

/**
 * For functions of other modules that tests of a `describe` replace, such as those of node:fs. They are
 * back after each test.
 *
 * @returns {(object: object, name: string, value: unknown) => void}
 */
module.exports = function useReplacements () {
  const undo = []
  afterEach(() => { while (undo.length > 0) undo.pop()() })
  return (object, name, value) => {
    const { [name]: before } = object
    undo.push(() => { object[name] = before })
    object[name] = value
  }
}
