'use strict'

// Option `contentDigest`: compares a body with its field Content-Digest (RFC 9530), as it came: codings are not undone.

const errors = require('../errors')
const WrappingSource = require('./wrapping-source')

const ALGORITHMS = ['sha-256', 'sha-512'] // RFC 9530, section 5: all others that are registered are insecure
const WANTED = { 'Want-Content-Digest': 'sha-256=10, sha-512=10' }

/**
 * A member of the field: a name and a Byte Sequence (RFC 9651, section 3.3.5). Parameters, of which RFC 9530 has none,
 * mean nothing.
 */
const KEY = '[a-z*][a-z0-9_.*-]*'
const MEMBER = new RegExp(`^[ \\t]*(${KEY})=:([A-Za-z0-9+/]*)={0,2}:(?:; *${KEY}(?:=[^\\s;"]+)?)*[ \\t]*$`)

/** @returns {Map<string, string> | null} name -> base64 without its padding; null if the field is malformed */
function readField (field) {
  const members = new Map()
  for (const text of field.split(',')) {
    const [, name, value] = MEMBER.exec(text) ?? []
    if (name === undefined) return null
    members.set(name, value)
  }
  return members
}

/**
 * @param {'check' | 'require'} mode the option
 * @param {(algorithm: string) => import('node:crypto').Hash} createHash of node:crypto
 * @returns {(field: string | undefined | null) => ContentDigest | null} null if there is nothing to check; throws if
 *   the field is refused before anything is read
 */
function createOpenDigest (mode, createHash) {
  return (field) => {
    const members = field ? readField(String(field)) : new Map()
    if (members === null && mode === 'check') throw mismatch('cannot be read')
    const names = ALGORITHMS.filter((name) => members?.has(name))
    if (names.length > 0) return new ContentDigest(names.map((name) => [name, members.get(name)]), createHash)
    if (mode === 'require') throw missing()
    return null
  }
}

/** The digests that a body was sent with. */
class ContentDigest {
  constructor (members, createHash) {
    this.members = members.map(([name, value]) => ({ name, value, hash: createHash(name.replace('-', '')) }))
  }

  update (chunk) {
    for (const { hash } of this.members) hash.update(chunk)
  }

  /** @returns {Error | null} once, at the end of the body: why it is not what was sent */
  fault () {
    const isOther = ({ hash, value }) => hash.digest('base64').replace(/=+$/, '') !== value
    const other = this.members.find(isOther)
    return other === undefined ? null : mismatch(`has another ${other.name} than the body`)
  }
}

const mismatch = (reason) =>
  errors.create(400, `the field Content-Digest ${reason}`, { type: 'digest.mismatch' })

const missing = () => errors.create(400, 'the request has no field Content-Digest with sha-256 or sha-512', {
  headers: { ...WANTED },
  type: 'digest.missing'
})

/** Gives what another source gives, and an error in the place of the end if that is not what was sent. */
class DigestedSource extends WrappingSource {
  /**
   * @param {import('./source')} source
   * @param {ContentDigest} digest
   */
  constructor (source, digest) {
    super(source)
    this.digest = digest
    this.isComplete = false // whether all bytes have come
  }

  take (chunk) {
    if (chunk !== null) {
      this.digest.update(chunk)
      this.give(chunk)
      return
    }
    this.isComplete = true
    this.end(this.digest.fault())
  }
}

module.exports = { ContentDigest, createOpenDigest, DigestedSource }
