'use strict'

// Forms of as few bytes as multipart takes, at the bounds of its options.

/** @param {Array<{ name?: string, size?: number, filename?: string, blanks?: number }>} parts */
function compactForm (parts) {
  const texts = parts.map(({ name = 'a', size = 0, filename, blanks = 0 }) => {
    const file = filename === undefined ? '' : `;filename=${filename}`
    const quoted = / /.test(name) ? `"${name}"` : name
    const header = `Content-Disposition:form-data;name=${quoted}${file}${' '.repeat(blanks)}`
    return `--b\r\n${header}\r\n\r\n${'x'.repeat(size)}${size > 0 ? '\r\n' : ''}`
  })
  return Buffer.from(`${texts.join('')}--b--`)
}

const times = (count, part) => Array.from({ length: Math.max(count, 0) }, () => part)

/** A name of a field whose files a rule takes. */
const nameOf = (rule) => rule === '*' ? '_' : rule
const fileOf = (rule, size) => ({ name: nameOf(rule), filename: 'a', size })
const CONTROL = { filename: '""' }

/** What any form needs. */
const requiredFiles = (files) => Object.entries(files).flatMap(([rule, { min }]) => times(min, fileOf(rule)))

/** As few files as have so many bytes: those that are required, then those of the largest rules. */
function filesOf (files, bytes) {
  let left = bytes
  const fill = (file, { size }) => {
    const taken = Math.min(size, left)
    left -= taken
    return { ...file, size: taken }
  }
  const ruleOf = ({ name }) => Object.entries(files).find(([rule]) => nameOf(rule) === name)[1]
  const list = requiredFiles(files).map((file) => fill(file, ruleOf(file)))
  for (const [name, rule] of Object.entries(files).sort(([, a], [, b]) => b.size - a.size)) {
    const count = Math.min(rule.max - rule.min, rule.size > 0 ? Math.ceil(left / rule.size) || 1 : 0)
    if (left > 0) list.push(...times(count, fileOf(name)).map((file) => fill(file, rule)))
  }
  return left === 0 ? list : null
}

/** Parts of the cheapest kinds. */
function partsOf ({ fields, files }, count) {
  const list = requiredFiles(files)
  const add = (max, part) => list.push(...times(Math.min(max, count - list.length), part))
  add(fields.max, {})
  for (const [rule, { min, max }] of Object.entries(files)) add(max - min, fileOf(rule))
  add(Infinity, CONTROL)
  return list
}

/**
 * @param {object} options of multipart, of which those that are given have a bound
 * @param {object} limits all of them
 * @returns {Array<{ option: string, at: object[], over: object[] | null, type: string }>} parts of a form at the
 *   bound, and of one over it, which is an error of this type; null if nothing can be over
 */
function boundsOf (options, limits) {
  const { files, total } = limits
  const rules = Object.entries(options.files === undefined ? {} : files)
  const rows = [...boundsOfFields(options, limits), ...boundsOfParts(options, limits)]
  for (const [rule, limitsOfRule] of rules) rows.push(...boundsOfRule(rule, limitsOfRule, limits))
  if (Number.isFinite(options.total) && Object.values(files).some(({ max }) => max > 0) && canNameFiles(limits)) {
    rows.push(['total', 'files.too.large', filesOf(files, total), filesOf(files, total + 1)])
  }
  return rows.map(([option, type, at, over]) => ({ option, type: `multipart.${type}`, at, over }))
}

const isGiven = (group, name) => Number.isFinite(group?.[name])

/** A rule of no files may have any name, also one that no part can have. */
const canNameFiles = ({ parts: { header, name } }, rule = '*') => nameOf(rule).length <= name && header > 70

/** @param {(bound: number) => object[]} partsAt */
const boundOf = (option, type, bound, partsAt) => [option, type, partsAt(bound), partsAt(bound + 1)]

function boundsOfFields (options, { fields: { max, size }, files }) {
  const required = requiredFiles(files)
  const rows = []
  const { fields } = options
  if (isGiven(fields, 'max')) {
    rows.push(boundOf('fields.max', 'fields.too.many', max, (max) => [...required, ...times(max, {})]))
  }
  if (isGiven(fields, 'size') && max > 0) {
    rows.push(boundOf('fields.size', 'field.too.large', size, (size) => [...required, { size }]))
  }
  return rows
}

function boundsOfRule (rule, { min, max, size }, limits) {
  const others = requiredFiles({ ...limits.files, [rule]: { min: 0 } })
  const withCount = (count) => [...others, ...times(count, fileOf(rule))]
  const withSize = (size) => [...others, fileOf(rule, size), ...times(min - 1, fileOf(rule))]
  const rows = []
  if (max < Infinity && (max > 0 || canNameFiles(limits, rule))) {
    rows.push(boundOf(`files.${rule}.max`, 'files.too.many', max, withCount))
  }
  if (size < Infinity && max > 0) rows.push(boundOf(`files.${rule}.size`, 'file.too.large', size, withSize))
  if (min > 0) rows.push([`files.${rule}.min`, 'files.too.few', withCount(min), withCount(min - 1)])
  return rows
}

function boundsOfParts ({ parts: given }, limits) {
  const { fields, files, parts: { header, max, name } } = limits
  const required = requiredFiles(files)
  const filename = fields.max === 0 ? '""' : undefined
  const length = `Content-Disposition:form-data;name=a${filename ? ';filename=""' : ''}`.length
  const named = (length) => [...required, { name: 'n'.repeat(length), filename }]
  const padded = (header) => [...required, { blanks: header - length, filename }]
  const rows = []
  if (isGiven(given, 'max') && max >= required.length) {
    rows.push(boundOf('parts.max', 'parts.too.many', max, (max) => partsOf(limits, max)))
  }
  if (isGiven(given, 'name') && name > 0) rows.push(boundOf('parts.name', 'name.too.long', name, named))
  if (isGiven(given, 'header') && header > 60) rows.push(boundOf('parts.header', 'header.too.large', header, padded))
  return rows
}

module.exports = { boundsOf, compactForm }
