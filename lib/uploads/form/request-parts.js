'use strict'

const ChunkQueue = require('../../core/body/chunk-queue')
const errors = require('../../core/errors')
const { handOutLoop } = require('../../core/hand-out')
const { MISMATCH } = require('../../core/body/match')
const { claim, isClaimed, isUnread, release } = require('../../core/request/claims')
const awaitFirstByte = require('../../core/request/first-byte')
const { hasBody, hasContent, hasHeaders, isAbandoned, isFinished, isStream } = require('../../core/request/facts')
const { bound } = require('../../core/wording')
const { isForm } = require('../parts/boundary')
const { parseHeader } = require('../parts/header')
const partFields = require('../parts/part-fields')

/**
 * `parts(req, res)` of a parser: the parts, one after the other. Like a loop over
 * the records of ndjson, it reads nothing before the first one is asked for, but
 * claims the request at once: it may be asked behind other parsers.
 *
 * @param {(openLoop: (req: object) => Loop) => [middleware: Function, parser: object]} compose
 *   a parser whose forms give their parts to the loop over them
 */
module.exports = function createParts (compose) {
  const loops = new WeakMap() // request -> the loop over it
  const openLoop = (req) => loops.get(req).open()
  let composed = null

  return (req, res) => {
    composed ??= compose(openLoop)
    const isMine = isFree(req, composed[1])
    if (isMine) claim(req, 'loop')
    return handOutLoop(parts(req, res, isMine))
  }

  async function * parts (req, res, isMine) {
    if (!hasHeaders(req)) throw errors.notARequest('parts()', 'multipart', req)
    const [middleware, parser] = composed
    if (loops.has(req)) throw errors.notReadable() // another loop reads it
    const loop = new Loop(req)
    loops.set(req, loop)
    if (isMine) release(req)
    middleware(req, res, (...error) => loop.end(...error))
    try {
      yield * loop.items()
      if (!loop.isOpen) await assertEmpty(req, res, parser)
    } finally { // the loop may end before the parts do
      loop.abandon()
      if (!isStream(req)) loops.delete(req) // it may carry the next request
    }
  }
}

/** A queue of fields, which the limits bound, and at most one file. */
class Loop extends ChunkQueue {
  constructor (req) {
    super()
    this.req = req
    this.isOpen = false // has a form
    this.isForm = true // form-data, of which each part needs a name
    this.item = null // that the app has got
    this.abandoned = null // an error
    this.headers = null // of the part that comes now
    this.store = (part) => new Promise((resolve, reject) => {
      this.write({ part: Object.assign(part, { headers: this.headers }), resolve, reject })
    })
  }

  open () {
    this.isOpen = true
    this.isForm = isForm(this.req.headers['content-type'] ?? '')
    claim(this.req, 'loop')
    return this
  }

  /** Of a part: as ../parts/header.js has it. */
  parseHeader (bytes, decode, fail) {
    const header = parseHeader(bytes, decode, fail, this.isForm)
    this.headers = partFields(decode(bytes.chunk, bytes.start, bytes.end))
    return header
  }

  /** @returns {number} bytes in memory, besides the text */
  onField (part) {
    this.write({ part: { ...part, headers: this.headers } })
    return part.bytes.length
  }

  write (item) {
    if (this.abandoned !== null) throw this.abandoned
    super.write(item)
  }

  async * items () {
    while ((this.item = await this.pull()) !== null) {
      yield this.item.part
      this.item.resolve?.() // what was not read of a file is discarded
    }
  }

  abandon () {
    if (this.outcome !== null && this.item === null) return
    this.abandoned = errors.create(400, 'the parts are not read to the end', { type: 'multipart.abandoned' })
    for (const left of [this.item, ...this.chunks]) left?.reject?.(this.abandoned)
  }
}

/** Whether this parser would read the request now. */
function isFree (req, parser) {
  try {
    const { headers } = req
    if (!hasBody(headers, req) || isFinished(req) || isClaimed(req)) return false
    return !parser.matchHeader(req, headers).skip
  } catch { // not a request, or an error of option `type`: the loop tells it
    return false
  }
}

/** A request that the parser skips: parts that are there must not be taken for none. */
async function assertEmpty (req, res, parser) {
  const { headers } = req
  if (isAbandoned(req)) throw errors.aborted(null, 0)
  if (!hasContent(headers, req)) return
  if (parser.matchHeader(req, headers) !== MISMATCH) throw errors.notReadable() // it is read already
  if (isUnread(req) && !await hasBytes(req, res)) return
  const [type] = (headers['content-type'] ?? '').split(';')
  throw errors.unsupportedMediaType(bound(type.trim()))
}

const hasBytes = (req, res) => new Promise((resolve, reject) => {
  awaitFirstByte(req, res, (error, hasContent) => error === null ? resolve(hasContent) : reject(error))
})
