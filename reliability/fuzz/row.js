'use strict'

// Prints a case as rows of the tests' tables (test/support/table.js).

const sourceOf = require('./source')

/**
 * @param {import('./plan').Plan} plan
 * @param {string} name
 * @returns {string} one row for each request, with comments for what a row
 *   cannot say
 */
function rowsOf (plan, name) {
  const { messages, end } = plan
  return messages.map((message, index) => {
    const comments = [
      `arrives as ${message.pieces.map(({ bytes, pause }) => `${bytes.length} B (${pause})`).join(', ')}`
    ]
    if (message.request.framing.kind === 'chunked') comments.push(`framed as ${sourceOf(message.framed)}`)
    if (message.request.version !== '1.1') comments.push(`HTTP/${message.request.version}`)
    if (messages.length > 1) comments.push(`request ${index + 1} of ${messages.length} on one connection${index > 0 ? `, ${message.join}` : ''}`)
    if (index === messages.length - 1 && end.how !== 'keep') comments.push(`then ${end.how} at ${end.at} thousandths, ${end.pause}`)
    const fields = [`it: ${sourceOf(name)}`, ...makeOf(plan), ...requestOf(message, end)]
    return `${comments.map((text) => `// ${text}\n`).join('')}{ ${fields.join(', ')} }`
  }).join(',\n')
}

function makeOf ({ case: { before, stack } }) {
  const [{ parser, options }] = stack
  if (stack.length === 1 && before === undefined) {
    return options === undefined ? [`parser: '${parser}'`] : [`parser: '${parser}'`, `options: ${sourceOf(options)}`]
  }
  const layers = stack.map(({ parser, options, gap }) => `[bodyParser.${parser}(${sourceOf(options)}), ${sourceOf(gap)}]`)
  const first = before === undefined ? '(req, go) => go()' : sourceOf(before)
  return [`make: (bodyParser) => {
    const before = ${first}
    const layers = [${layers.join(', ')}]
    return (req, res, next) => before(req, layers.reduceRight((go, [parse, gap]) => () => {
      parse(req, res, (...error) => error.length > 0 ? next(...error) : gap(go))
    }, next))
  }`]
}

function requestOf ({ request, headers, content, body }, end) {
  const { framing, method } = request
  const own = headers.filter(([name]) => !['Content-Length', 'Transfer-Encoding'].includes(name))
  const fields = []
  if (method !== 'POST') fields.push(`method: '${method}'`)
  if (own.length > 0) fields.push(`headers: ${sourceOf(Object.fromEntries(own))}`)
  if (framing.kind !== 'none') fields.push(`body: ${bodyOf(request, content, body)}`)
  if (framing.kind === 'chunked') fields.push('chunked: true')
  if (framing.off !== undefined && framing.off !== 0) fields.push(`length: ${Math.max(0, body.length + framing.off)}`)
  if (end.how !== 'keep') fields.push('cut: true')
  return fields
}

const ENCODERS = { gzip: 'gzipSync', deflate: 'deflateSync', br: 'brotliCompressSync', zstd: 'zstdCompressSync' }

/** A coded body is shorter and clearer as a call of the encoder. */
function bodyOf ({ coding }, content, body) {
  const simple = coding?.applied.length === 1 && coding.fault === undefined
  const encoder = simple ? ENCODERS[coding.applied[0]] : undefined
  if (encoder === undefined) return sourceOf(body)
  const level = coding.level === 1 || encoder === 'brotliCompressSync' ? '' : `, { level: ${coding.level} }`
  return `zlib.${encoder}(${sourceOf(content)}${level})`
}

module.exports = rowsOf
