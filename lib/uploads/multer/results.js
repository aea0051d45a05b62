'use strict'

// Where the files of a form go: `req.file` or `req.files`, by the method of the
// route. Each has its place in `req.files` from its beginning.

/** @typedef {'none' | 'value' | 'array' | 'object'} Shape */

class Results {
  /** @param {Shape} shape */
  constructor (req, shape) {
    this.req = req
    this.shape = shape
    if (shape === 'array') req.files = []
    if (shape === 'object') req.files = Object.create(null)
  }

  /** @returns {{ fieldname: string }} the slot of a file */
  reserve (fieldname) {
    const slot = { fieldname }
    if (this.shape === 'object') this.req.files[fieldname] ??= []
    this.listOf(fieldname)?.push(slot)
    return slot
  }

  // The last ones are looked at first: a form may have many files.

  put (slot, file) {
    const { req, shape } = this
    try {
      if (shape === 'value') req.file = file
      const list = this.listOf(slot.fieldname)
      const at = list?.lastIndexOf(slot) ?? -1
      if (at !== -1) list[at] = file // the app may have changed the list
    } catch {} // or have frozen it, or put something else in its place
  }

  free (slot) {
    const { req, shape } = this
    try {
      const list = this.listOf(slot.fieldname)
      const at = list?.lastIndexOf(slot) ?? -1
      if (at !== -1) list.splice(at, 1)
      if (shape === 'object' && list?.length === 0) delete req.files[slot.fieldname]
    } catch {} // as above
  }

  /** Of the files of a field; undefined if the route has none. */
  listOf (fieldname) {
    const { req: { files }, shape } = this
    if (shape === 'array') return files
    return shape === 'object' ? files?.[fieldname] : undefined
  }
}

module.exports = Results
