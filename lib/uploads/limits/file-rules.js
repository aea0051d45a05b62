'use strict'

// Options `files` and `total`: which files a form may have, must have, and has had so far.

const { quote } = require('../../core/wording')
const { refusal } = require('./messages')

const INDEX = /\[\d*\]$/ // `photos[]`, `photos[0]`

/** @typedef {{ field?: string, part?: number }} Place of an error */

/** By these, a client sends a form. */
const METHODS = ['POST', 'PUT', 'PATCH']

class FileRules {
  /** @param {{ files: Record<string, object>, total: number }} settings */
  constructor ({ files, total }) {
    this.rules = files // by name of the field; `*` for all others together
    this.total = total
    this.counts = new Map() // by rule
    this.storedBytes = 0
  }

  /** Whether a request by this method has to be a form, as a rule requires a file. */
  static needForm ({ files }, method) {
    return METHODS.includes(method) && Object.values(files).some(({ min }) => min > 0)
  }

  /** @throws {Error} 400 for a request without content, if it has to be a form */
  static requireForm (settings, method) {
    if (FileRules.needForm(settings, method)) new FileRules(settings).requireAll()
  }

  /** The name that a file has in the result: a rule `photos` takes those of `photos[]` and `photos[0]` as well. */
  groupOf (name) {
    const group = Object.hasOwn(this.rules, name) ? name : name.replace(INDEX, '')
    return Object.hasOwn(this.rules, group) ? group : name
  }

  /** @param {Place} place */
  find (name, place) {
    const { rules } = this
    const group = this.groupOf(name)
    const rule = Object.hasOwn(rules, group) ? rules[group] : rules['*']
    if (rule === undefined) throw refusal(400, 'file.unexpected', place)
    return rule
  }

  /**
   * @param {Place} place
   * @returns {number} most bytes that a further file may have
   */
  admit (rule, type, place) {
    const { storedBytes, total } = this
    const count = this.countOf(rule) + 1
    this.counts.set(rule, count)
    if (count > rule.max) throw refusal(413, 'files.too.many', { limit: rule.max, ...place })
    if (!rule.types.some((range) => includes(range, type))) {
      const detail = `: ${quote(type)} is not one of ${rule.types.join(', ')}`
      throw refusal(415, 'file.type.unsupported', place, detail)
    }
    return Math.min(rule.size, total - storedBytes)
  }

  /** @param {Place} place */
  refuseSize (rule, size, place) {
    if (size > rule.size) throw refusal(413, 'file.too.large', { limit: rule.size, ...place })
    throw refusal(413, 'files.too.large', { limit: this.total, ...place })
  }

  stored (size) {
    this.storedBytes += size
  }

  /** At the end of the form. */
  requireAll () {
    for (const name of Object.keys(this.rules)) {
      const rule = this.rules[name]
      if (this.countOf(rule) >= rule.min) continue
      const field = name === '*' ? undefined : name
      throw refusal(400, 'files.too.few', { limit: rule.min, field })
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
