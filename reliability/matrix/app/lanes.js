'use strict'

// What the app is given: by which parser, of which body, and how.

const mapValues = require('../../../tools/map-values')
const { bodies, document, fields, files, records } = require('./content')
const handlers = require('./handlers')
const actsOfFiles = require('./acts/files')
const functions = require('./acts/functions')
const loops = require('./acts/loops')
const parts = require('./acts/parts')
const streams = require('./acts/streams')
const webStreams = require('./acts/web-streams')

/**
 * @typedef {object} Lane
 * @property {string} kind of the acts
 * @property {Record<string, import('./acts/streams').Act>} acts
 * @property {keyof typeof bodies} body
 * @property {(exchange: import('./exchange')) => void} [serve] calls the parser, and gives the app what it makes: the
 *   handler of its name
 * @property {object} [options] of the parser
 * @property {boolean} [hasNext] `next` is called; else the app's handler shows the end alone
 * @property {boolean} [callsEarly] `next` is called before the body has arrived
 * @property {boolean} [comesWhole] the app is given something only once the body has arrived
 * @property {object | null} [expected] what `next` finds as `req.body`, or undefined for anything
 * @property {Record<string, unknown>} contents by label, what the app reads
 * @property {boolean} [isWeb] a Request of the Fetch standard, which has no budget
 * @property {string} [source] the name without what follows
 * @property {string | null} [coding] content coding
 * @property {boolean} [hasBudget]
 */

const HEAD = 4100 // bytes that `detect` gets

const form = { body: 'form', hasNext: true, expected: fields, contents: files }
const streamed = { ...form, body: 'form, files last', callsEarly: true }
const loop = { kind: 'loop', acts: loops, body: 'records', contents: { records } }
const items = { ...loop, body: 'items' }
const call = {
  kind: 'function', acts: functions, body: 'document', hasNext: true, comesWhole: true, expected: document
}
const ofFunction = {
  verify: { ...call, contents: { verify: bodies.document.bytes } },
  parse: { ...call, contents: { parse: bodies.document.bytes.toString() } },
  schema: { ...call, contents: { schema: document } },
  detect: { ...form, kind: 'detect', acts: functions, contents: mapValues(files, (bytes) => bytes.subarray(0, HEAD)) }
}
const checked = { options: { detect: () => 'a/b', digest: 'sha256', contentDigest: 'require' } }
const refused = {
  'for await': {
    fails: true,
    async run (parts, app) {
      for await (const part of parts) app.sees(part)
    }
  }
}

const webMemory = {
  ...actsOfFiles.memory,
  toFile: {
    reads: true,
    run: (list, app) => Promise.all(list.map((file) => app.reads(file.toFile().arrayBuffer(), file.field)))
  }
}

/** @type {Record<string, Lane>} */
const plain = {
  memory: { ...form, kind: 'memory', acts: actsOfFiles.memory, comesWhole: true },
  disk: { ...form, kind: 'disk', acts: actsOfFiles.disk, comesWhole: true },
  store: { ...form, kind: 'stream', acts: streams },
  part: { kind: 'stream', acts: streams, body: 'form', contents: files },
  'streamed file': { ...streamed, kind: 'stream', acts: streams },
  'streamed files': { ...streamed, kind: 'parts', acts: parts },
  'checked store': { ...form, ...checked, kind: 'stream', acts: streams, serve: handlers.store },
  'checked streamed files': { ...streamed, ...checked, kind: 'parts', acts: parts, serve: handlers['streamed files'] },
  parts: { kind: 'parts', acts: parts, body: 'form', contents: files },
  'parts of another type': {
    kind: 'refused',
    acts: refused,
    body: 'another type',
    serve: handlers.parts,
    contents: {}
  },
  records: { ...loop, hasNext: true },
  batches: { ...loop, hasNext: true },
  items: { ...items, hasNext: true },
  'batches of items': { ...items, hasNext: true },
  ...ofFunction,
  'web memory': { ...form, kind: 'web memory', acts: webMemory, comesWhole: true, isWeb: true },
  'web disk': { ...form, kind: 'disk', acts: actsOfFiles.disk, comesWhole: true, isWeb: true },
  'web store': { ...form, kind: 'web stream', acts: webStreams, isWeb: true },
  'web part': { kind: 'web stream', acts: webStreams, body: 'form', contents: files, isWeb: true },
  'web streamed file': { ...streamed, kind: 'web stream', acts: webStreams, isWeb: true },
  'web streamed files': { ...streamed, kind: 'parts', acts: parts, isWeb: true },
  'web checked streamed file': {
    ...streamed,
    ...checked,
    kind: 'web stream',
    acts: webStreams,
    serve: handlers['web streamed file'],
    isWeb: true
  },
  'web parts': { kind: 'parts', acts: parts, body: 'form', contents: files, isWeb: true },
  'web parts of another type': {
    kind: 'refused',
    acts: refused,
    body: 'another type',
    serve: handlers['web parts'],
    contents: {},
    isWeb: true
  },
  'web records': { ...loop, isWeb: true },
  'web batches': { ...loop, isWeb: true },
  'web items': { ...items, isWeb: true },
  'web batches of items': { ...items, isWeb: true },
  'web verify': { ...ofFunction.verify, isWeb: true },
  'web parse': { ...ofFunction.parse, isWeb: true },
  'web schema': { ...ofFunction.schema, isWeb: true },
  'web detect': { ...ofFunction.detect, isWeb: true }
}

const toAct = (act) => typeof act === 'function' ? { run: act } : act

/** Each as it is and in gzip, without and with a budget. @type {Record<string, Lane>} */
const lanes = {}
for (const [name, lane] of Object.entries(plain)) {
  for (const coding of [null, 'gzip']) {
    for (const hasBudget of lane.isWeb ? [false] : [false, true]) {
      const full = [name, coding, hasBudget && 'budget'].filter(Boolean).join(', ')
      const acts = mapValues(lane.acts, toAct)
      lanes[full] = { serve: handlers[name], ...lane, acts, source: name, coding, hasBudget }
    }
  }
}

module.exports = lanes
