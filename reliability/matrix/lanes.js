'use strict'

// The ways through a parser, with the acts that are done in them.

const mapValues = require('../../tools/map-values')
const given = require('./given')
const parsing = require('./parsing')

/**
 * @typedef {object} Lane
 * @property {Record<string, import('./acts/act').Act>} acts of this `kind`
 * @property {(exchange: import('./exchange')) => void} serve calls the parser, and gives the app what it makes
 * @property {boolean} [isChunked] without a declared length
 * @property {number} [declares] bytes, more than are sent
 * @property {Buffer} [sent] what the field Content-Digest is of, if not of the body
 * @property {object | ((parts: { createBudget: Function, folders: object }) => object)} [options] of the parser
 * @property {object} [guards] options that bound what a client may do
 * @property {boolean} [hasNext] `next` is called; else the app's handler shows the end alone
 * @property {boolean} [isWeb] a Request of the Fetch standard
 * @property {boolean} [hasFiles] on the disk, which must not be there after an error
 * @property {Function} [call] calls the parser: see callers.js
 * @property {boolean} [isOwn] body-parser has no such lane, or differs in it on purpose
 * @property {boolean} [isRefused] it is an error if nobody acts
 * @property {string} [source] the name without what follows
 * @property {boolean} [callsEarly] `next` is called before the body has arrived
 * @property {boolean} [comesWhole] the app is given something only once the body has arrived
 * @property {object | null} [expected] what `next` finds as `req.body`, or undefined for anything
 * @property {Record<string, unknown>} [contents] by label, what the app reads
 */

const toAct = (act) => typeof act === 'function' ? { run: act } : act

/** @type {Record<string, Lane>} */
const lanes = {}
for (const [prefix, group] of Object.entries({ parsing, given })) {
  for (const [name, lane] of Object.entries(group)) {
    const full = `${prefix} ${name}`
    lanes[full] = { source: full, coding: null, ...lane, acts: mapValues(lane.acts, toAct) }
  }
}

module.exports = lanes
