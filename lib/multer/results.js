'use strict'

// Where the files of a form go: `req.file` or `req.files`, by the method of the
// route. Each has its place in `req.files` from its beginning.

/** @typedef {'none' | 'value' | 'array' | 'object'} Shape */

class Results {
  /** @param {Shape} shape */
  constructor (req, shape) {
    this.req = req
    this.shape = shape
    this.lists = new WeakMap() // slot -> its list: the app may have replaced `req.files`
    if (shape === 'array') req.files = []
    if (shape === 'object') req.files = Object.create(null)
  }

  /** @returns {{ fieldname: string }} the slot of a file */
  reserve (fieldname) {
    const slot = { fieldname }
    if (this.shape === 'object') this.req.files[fieldname] ??= []
    const list = this.listOf(fieldname)
    list?.push(slot)
    this.lists.set(slot, list)
    return slot
  }

  put (slot, file) {
    if (this.shape === 'value') Reflect.set(this.req, 'file', file) // throws nothing where the app forbids it
    const list = this.lists.get(slot)
    const at = list?.lastIndexOf(slot) ?? -1
    if (at !== -1) list[at] = file // the app may have changed the list
  }

  free (slot) {
    const { req, shape } = this
    const list = this.lists.get(slot)
    const at = list?.lastIndexOf(slot) ?? -1
    if (at !== -1) list.splice(at, 1)
    if (shape !== 'object' || list?.length !== 0) return
    if (req.files?.[slot.fieldname] === list) delete req.files[slot.fieldname]
  }

  /** Of the files of a field; undefined if the route has none. */
  listOf (fieldname) {
    const { req: { files }, shape } = this
    if (shape === 'array') return files
    return shape === 'object' ? files[fieldname] : undefined
  }
}

module.exports = Results
