'use strict'

/** The files of one form, from the first byte of each until nothing of it is left to be removed. */
class FileSet {
  constructor () {
    // File -> what removes it: `release` while it is being stored, then `remove` of its outcome.
    this.removals = new Map()
  }

  /**
   * @param {object} file what the form and the app know of it
   * @param {object} stored see ./open-file.js
   */
  begin (file, stored) {
    this.removals.set(file, (reason) => stored.release(reason))
    stored.begin?.()
  }

  /** @param {import('./open-file').Outcome} outcome */
  complete (file, outcome) {
    const { remove } = outcome
    // Dropped at once: a form may have many files, and a stream takes more memory than most of them.
    if (remove === null) this.removals.delete(file)
    else this.removals.set(file, remove)
  }

  /**
   * @param {unknown} [reason] of a form that has failed
   * @param {Removal[]} [removals] gets what had to be removed
   * @returns {Promise<void> | null} null if there is nothing to wait for
   *
   * @typedef {{ file: object, error: Error | null }} Removal what could not be removed has an error
   */
  release (reason, removals = []) {
    if (this.removals.size === 0) return null // of most forms: called twice for each
    const begun = Array.from(this.removals, ([file, remove]) => ({ file, removal: remove(reason) }))
      .filter(({ removal }) => removal !== null)
    return begun.length === 0 ? null : awaitAll(begun, removals)
  }
}

async function awaitAll (begun, removals) {
  for (const { file, removal } of begun) removals.push({ file, error: await removal })
}

module.exports = FileSet
