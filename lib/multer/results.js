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

  put (slot, file) {
    if (this.shape === 'value') this.req.file = file
    const list = this.listOf(slot.fieldname)
    const at = list?.indexOf(slot) ?? -1
    if (at !== -1) list[at] = file // the app may have changed the list
  }

  free (slot) {
    const { req, shape } = this
    const list = this.listOf(slot.fieldname)
    const at = list?.indexOf(slot) ?? -1
    if (at !== -1) list.splice(at, 1)
    if (shape === 'object' && list?.length === 0) delete req.files[slot.fieldname]
  }

  /** Of the files of a field; undefined if the route has none. */
  listOf (fieldname) {
    const { req: { files }, shape } = this
    if (shape === 'array') return files
    return shape === 'object' ? files[fieldname] : undefined
  }
}

module.exports = Results
