'use strict'

// Options `files` and `total`: which files a form may have, must have, and has had so far.

const { quote } = require('../../core/wording')

const INDEX = /\[\d*\]$/ // `photos[]`, `photos[0]`

class FileRules {
  /**
   * @param {object} settings
   * @param {import('../form/form')} form is told to refuse the current part
   */
  constructor ({ files, total }, form) {
    this.rules = files // by name of the field; `*` for all others together
    this.total = total
    this.form = form
    this.counts = new Map() // by rule
    this.storedBytes = 0
  }

  /** The name that a file has in `req.files`: a rule `photos` takes those of `photos[]` and `photos[0]` as well. */
  groupOf (name) {
    const group = Object.hasOwn(this.rules, name) ? name : name.replace(INDEX, '')
    return Object.hasOwn(this.rules, group) ? group : name
  }

  find (name) {
    const { form, rules } = this
    const group = this.groupOf(name)
    return Object.hasOwn(rules, group) ? rules[group] : rules['*'] ?? form.refuse(400, 'file.unexpected')
  }

  /** @returns {number} most bytes that a further file may have */
  admit (rule, type) {
    const { form, storedBytes, total } = this
    const count = this.countOf(rule) + 1
    this.counts.set(rule, count)
    if (count > rule.max) form.exceed('files.too.many', rule.max)
    if (!rule.types.some((range) => includes(range, type))) {
      const detail = `: ${quote(type)} is not one of ${rule.types.join(', ')}`
      form.refuse(415, 'file.type.unsupported', undefined, form.place, detail)
    }
    return Math.min(rule.size, total - storedBytes)
  }

  refuseSize (rule, size) {
    if (size > rule.size) this.form.exceed('file.too.large', rule.size)
    this.form.exceed('files.too.large', this.total)
  }

  stored (size) {
    this.storedBytes += size
  }

  /** At the end of the form. */
  requireAll () {
    for (const [name, rule] of Object.entries(this.rules)) {
      if (this.countOf(rule) >= rule.min) continue
      const field = name === '*' ? undefined : name
      this.form.refuse(400, 'files.too.few', { limit: rule.min }, { field })
    }
  }

  countOf (rule) {
    return this.counts.get(rule) ?? 0
  }
}

/** @param {string} range such as `image/*` */
function includes (range, type) {
  if (range === type || range === '*/*') return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

module.exports = FileRules
