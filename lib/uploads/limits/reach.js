'use strict'

// Refuses limits that cannot be reached together, when the parser is made: else
// another limit, which nobody has thought of, refuses forms later.

const { Buffer } = require('../../core/platform')
const { formatSize } = require('../../core/wording')

// The fewest bytes of a form, with a boundary of one character.
const FORM = '--b--'.length
const PART = '--b\r\nContent-Disposition:form-data;name=\r\n\r\n'.length // without its name and its content
const FILE = PART + ';filename=a'.length
const EMPTY_CONTROL = PART + ';filename=""'.length // a form control without a file
const HEADER = 'Content-Disposition:form-data;name='.length
const LINE_END = '\r\n'.length // behind content; an empty part needs none
const USUAL_PART = 512 // bytes besides the content, for which the advice has room
const MAX_HEADER = 1024 * 1024 // bytes, which are allocated at once

/** Of several numbers that no form can reach, the first one is reported. 0 turns off what stands beside it. */
class Reach {
  /**
   * @param {object} given as ./create-limits.js gets it: only what was given is checked
   * @param {import('./create-limits').Limits} limits
   */
  constructor (given, limits) {
    this.given = given
    this.limits = limits
    this.rules = Object.entries(given.rules)
    this.required = { // of files, in any form
      parts: sumOf(this.rules, ([, { min }]) => min),
      bytes: sumOf(this.rules, ([name, { min }]) => min * fileBytes(name))
    }
  }

  /** @throws {TypeError} names the number that no form can reach, what prevents it, and what to write */
  check () {
    const { given, limits, rules } = this
    this.checkFields(given.fields, limits.fields)
    for (const [name, rule] of rules) this.checkRule(name, rule)
    if (limits.total !== Infinity) this.checkTotal(limits.total, Object.values(limits.files))
    if (Number.isFinite(given.parts.max)) this.checkParts(limits)
    this.checkPartHeader(given.parts, limits)
  }

  checkFields (given, { max, size }) {
    if (max === 0 || (given.max ?? given.size) === undefined) return
    this.checkName('fields.max', 1, HEADER + 1)
    if (given.max !== undefined) this.checkCount('fields.max', max, PART + 1)
    if (given.size !== undefined) this.checkContent('fields.size', size, PART + 1)
  }

  checkRule (name, { min, max, size }) {
    if (max === 0) return
    const { total } = this.limits
    const [option, bytes] = [`files.${name}`, fileBytes(name)]
    this.checkName(option, name === '*' ? 1 : Buffer.byteLength(name), HEADER + bytes - PART)
    this.checkCount(`${option}.max`, max, bytes, max - min)
    if (isOver(size, total)) refuse(`${option}.size`, formatSize(size), 'total, for all files,', total, size)
    this.checkContent(`${option}.size`, size, bytes, min === 0 ? 1 : 0)
  }

  checkTotal (total, rules) {
    const most = sumOf(rules, bytesOf)
    if (isOver(total, most)) {
      const [found, advice] = most === 0
        ? ['no files are allowed', 'Allow some in files, or leave it out']
        : [`the rules in files allow ${formatSize(most)}`, `Lower total to ${formatSize(most)}, or leave it out`]
      throw unreachable('total', formatSize(total), found, advice)
    }
    const parts = filesFor(total, rules)
    if (parts > 0) this.checkName('total', 1, HEADER + 1 + FILE - PART)
    const lineEnds = (this.required.parts + parts) * LINE_END
    const bytes = parts * Math.max(FILE + 1, ...this.rules.map(([name]) => fileBytes(name))) + lineEnds + total
    this.checkRoom('total', formatSize(total), { parts, bytes, content: total })
  }

  checkParts ({ fields, files, parts: { max } }) {
    const { required } = this
    const further = Math.max(max - required.parts, 0)
    const controls = Math.max(further - fields.max, 0)
    const optional = Math.min(controls, sumOf(Object.values(files), ({ max }) => max) - required.parts)
    const kinds = [[further - controls, PART + 1], [optional, FILE + 1], [controls - optional, EMPTY_CONTROL + 1]]
      .filter(([count]) => count > 0)
    if (kinds.length > 0) this.checkName('parts.max', 1, HEADER - PART + kinds.at(-1)[1])
    const bytes = sumOf(kinds, ([count, bytes]) => count * bytes)
    this.checkRoom('parts.max', max, { parts: further, bytes })
  }

  checkPartHeader (given, { fields, parts: { header, name } }) {
    const bytes = name + (fields.max === 0 ? EMPTY_CONTROL - PART : 0)
    if (given.name !== undefined) {
      this.checkName('parts.name', name, HEADER + bytes, formatSize(name))
      this.checkRoom('parts.name', formatSize(name), { parts: 1, bytes: PART + bytes })
    }
    if (given.header === undefined) return
    this.checkRoom('parts.header', formatSize(header), { parts: 1, bytes: PART - HEADER + header })
  }

  checkName (option, bytes, header, shown = `a name of ${formatSize(bytes)}`) {
    const { parts } = this.limits
    if (isOver(bytes, parts.name)) refuse(option, shown, 'parts.name', parts.name, bytes)
    if (!isOver(header, parts.header)) return
    if (header <= MAX_HEADER) refuse(option, shown, 'parts.header', parts.header, header)
    const advice = `A name has ${MAX_HEADER - (header - bytes)} bytes at most`
    throw unreachable(option, shown, `parts.header is ${formatSize(MAX_HEADER)} at most`, advice)
  }

  /** @param {number} [parts] of `count`: those that are not required */
  checkCount (option, count, part, parts = count) {
    this.checkRoom(option, count, { parts, bytes: parts * part })
  }

  /** @param {number} [parts] 0 if a file that is required may have the content */
  checkContent (option, size, part, parts = 1) {
    const bytes = parts * part + (size > 0 ? LINE_END + size : 0)
    this.checkRoom(option, formatSize(size), { parts, bytes, content: size })
  }

  /** Beside the files that are required. */
  checkRoom (option, shown, { parts, bytes, content = 0 }) {
    const { limits: { limit, parts: { max } }, required } = this
    const [count, needed] = [required.parts + parts, required.bytes + bytes + FORM]
    if (isOver(count, max)) {
      const others = required.parts === 0 ? '' : `, and files have to be ${required.parts} of them`
      const advice = `Raise parts.max to at least ${count}, or leave it out`
      throw unreachable(option, shown, `parts.max is ${max}${others}`, advice)
    }
    if (!isOver(needed, limit)) return
    refuse(option, shown, 'limit, for the whole form,', limit, Math.max(count * USUAL_PART + content, needed))
  }
}

/** How few files have so many bytes, beside those that are required: the largest ones. */
function filesFor (total, rules) {
  let left = total - sumOf(rules, ({ min, size }) => min * size || 0)
  let count = 0
  for (const { min, max, size } of rules.toSorted((a, b) => b.size - a.size)) {
    if (left <= 0) break
    const files = Math.min(max - min, Math.max(1, Math.ceil(left / size)))
    count += files
    left -= files * size || 0
  }
  return count
}

const bytesOf = ({ max, size }) => max * size || 0 // NaN: none, or any number of empty ones

/** Infinity is never reached, and asks for nothing. A `limit` that is a function is over nothing here. */
const isOver = (needed, bound) => needed !== Infinity && needed > bound

function refuse (option, shown, other, bound, needed) {
  const [name] = other.split(',')
  const advice = `Raise ${name} to at least ${formatSize(roundUp(needed))}, or leave it out`
  throw unreachable(option, shown, `${other} is ${formatSize(bound)}`, advice)
}

const unreachable = (option, shown, found, advice) =>
  new TypeError(`option ${option} (${shown}) can never be reached: ${found}. ${advice}.`)

/** To a whole number of the unit in which it reads well. */
function roundUp (bytes) {
  const unit = [2 ** 30, 2 ** 20, 2 ** 10].find((unit) => bytes > unit) ?? 1
  return Math.ceil(bytes / unit) * unit
}

const sumOf = (list, valueOf) => list.reduce((sum, item) => sum + valueOf(item), 0)

/** The fewest bytes of a file, without its content. A name with one of these characters has quotes. */
function fileBytes (name) {
  if (name === '*') return FILE + 1
  return FILE + Buffer.byteLength(name) + (/[\t\v\f ";]/.test(name) ? 2 : 0)
}

module.exports = { MAX_HEADER, Reach, bytesOf, filesFor, sumOf }
