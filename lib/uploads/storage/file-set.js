'use strict'

/** The files of one form, from the first byte of each until nothing of it is left to be removed. */
class FileSet {
  constructor () {
    this.left = new Map() // file -> what removes it: `release` of the one being stored, then `remove` of its outcome
  }

  /**
   * @param {object} file what the form and the app know of it
   * @param {object} stored see ./open-file.js
   * @returns the same, begun
   */
  begin (file, stored) {
    this.left.set(file, (reason) => stored.release(reason))
    stored.begin?.()
    return stored
  }

  /** @param {import('./open-file').Outcome} outcome */
  complete (file, { remove }) {
    if (remove === null) this.left.delete(file) // a form may have many files, and a stream takes more than most of them
    else this.left.set(file, remove)
  }

  /**
   * @param {unknown} [reason] of a form that has failed
   * @param {Removal[]} [removals] gets what had to be removed
   * @returns {Promise<void> | null} null if there is nothing to wait for
   *
   * @typedef {{ file: object, error: Error | null }} Removal what could not be removed has an error
   */
  release (reason, removals = []) {
    const begun = Array.from(this.left, ([file, remove]) => ({ file, removal: remove(reason) }))
      .filter(({ removal }) => removal !== null)
    return begun.length === 0 ? null : awaitAll(begun, removals)
  }
}

/** The promise has no value: one with a list never settles where somebody has set `Object.prototype.then`. */
async function awaitAll (begun, removals) {
  for (const { file, removal } of begun) removals.push({ file, error: (await removal)?.error ?? null })
}

module.exports = FileSet
