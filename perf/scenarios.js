'use strict'

// All scenarios. To add one, add an entry.

const { bad, binary, form, get, json, raw, record, text, words } = require('./requests')

const JSON_ONLY = { json: {} }
const ALL_FOUR = { json: {}, urlencoded: { extended: true }, text: {}, raw: {} }
const FIVE_FIELDS = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  subject: 'Notes on the engine',
  message: 'See table & figure',
  last: 'the-end!'
}

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} about one line
 * @property {'http' | 'express4' | 'express5'} app
 * @property {Record<string, object>} parsers options by parser, in the order of the stack
 * @property {'tail' | 'echo' | 'echoAll'} answer see app.js
 * @property {() => import('./requests').Request[]} requests sent in turn
 * @property {{ requests: () => import('./requests').Request[], connections: number }} [beside] sent meanwhile, not measured
 */

/** @type {Scenario[]} */
module.exports = Object.entries({
  'http-json': {
    ...on('http', 'small JSON, 300 B', JSON_ONLY),
    requests: () => [json(record(300), 300)]
  },
  'http-json-medium': {
    ...on('http', 'medium JSON, 6,558 B, sent back', JSON_ONLY),
    answer: 'echo',
    requests: () => [json(record(6558), 6558)]
  },
  'express4-json': {
    ...on('express4', 'small JSON, 300 B', JSON_ONLY),
    requests: () => [json(record(300), 300)]
  },
  'express5-json': {
    ...on('express5', 'small JSON, 300 B', JSON_ONLY),
    requests: () => [json(record(300), 300)]
  },
  'express5-json-1kb': {
    ...on('express5', 'JSON, 1,000 B', JSON_ONLY),
    requests: () => [json(record(1000), 1000)]
  },
  'express5-json-medium': {
    ...on('express5', 'medium JSON, 6,558 B', JSON_ONLY),
    requests: () => [json(record(6558), 6558)]
  },
  'express5-json-medium-gzip': {
    ...on('express5', 'medium JSON, 6,558 B, content coding gzip', JSON_ONLY),
    requests: () => [json(record(6558), 6558, { coding: 'gzip' })]
  },
  'express5-json-large': {
    ...on('express5', 'large JSON, 208 KB', { json: { limit: '1mb' } }),
    requests: () => [json(record(208_000), 208_000)]
  },
  'express5-json-huge': {
    ...on('express5', 'huge JSON, 5 MB', { json: { limit: '10mb' } }),
    requests: () => [json(record(5_000_000), 5_000_000)]
  },
  'express5-json-mix': {
    ...on('express5', 'JSON of 150 B to 40 KB in turn, some of it not ASCII', JSON_ONLY),
    requests: () => [
      json(record(150), 150),
      json(record(300), 300),
      json(record(6558), 6558),
      json(record(1200, 'naïve café'), 1200),
      json(record(300), 300),
      json(record(900, '日本語 😀'), 900),
      json(record(40_000), 40_000),
      json(record(600), 600)
    ]
  },
  'express5-json-chunked': {
    ...on('express5', 'JSON of 2,000 B in chunked transfer coding, 4 chunks', JSON_ONLY),
    requests: () => [json(record(2000), 2000, { chunks: 4 })]
  },
  'express5-json-gzip': {
    ...on('express5', 'JSON of 2,000 B, content coding gzip', JSON_ONLY),
    requests: () => [json(record(2000), 2000, { coding: 'gzip' })]
  },
  'express5-json-br': {
    ...on('express5', 'JSON of 2,000 B, content coding br', JSON_ONLY),
    requests: () => [json(record(2000), 2000, { coding: 'br' })]
  },
  'express5-urlencoded': {
    ...on('express5', 'a form of 5 fields, 126 B', { urlencoded: { extended: true } }),
    requests: () => [form(FIVE_FIELDS, 126)]
  },
  'express5-text': {
    ...on('express5', 'text, 300 B', { text: {} }),
    requests: () => [text(words(300), 300)]
  },
  'express5-raw': {
    ...on('express5', 'raw bytes, 300 B', { raw: {} }),
    requests: () => [raw(binary(300), 300)]
  },
  'express5-raw-60kb': {
    ...on('express5', 'raw bytes, 60 KB', { raw: {} }),
    requests: () => [raw(binary(60_000), 60_000)]
  },
  'express5-get': {
    ...on('express5', 'GET without a body through all four parsers', ALL_FOUR),
    requests: () => [get()]
  },
  'express5-stack': {
    ...on('express5', 'all four parsers stacked, and a request for each in turn', ALL_FOUR),
    requests: () => [
      json(record(300), 300),
      get(),
      form({ id: '4711', name: 'Ada Lovelace', last: 'the-end!' }, 41),
      json(record(300), 300),
      text(words(300), 300),
      get(),
      json(record(300), 300),
      raw(binary(300), 300)
    ]
  },
  'express5-bad': {
    ...on('express5', 'small JSON, 300 B, and one bad request in four', { json: { limit: '1kb' } }),
    requests: () => [
      bad('application/json', '{"id":4711,"name":"Ada', 22, 400, 'entity.parse.failed'),
      bad('application/json', `"${'x'.repeat(2046)}"`, 2048, 413, 'entity.too.large'),
      bad('application/json; charset=latin1', '{"id":4711}', 11, 415, 'charset.unsupported')
    ].flatMap((refused) => [...new Array(3).fill(json(record(300), 300)), refused])
  },
  'express5-beside-large': besideLarge(''),
  'express5-beside-large-cooperative': besideLarge(', with cooperative', { cooperative: true }),
  '@expressjs/perf-load-body-parser': {
    ...on('express5', 'small, medium and large JSON in turn through all four parsers, body and headers sent back',
      { ...ALL_FOUR, json: { limit: '1mb' } }),
    answer: 'echoAll',
    requests: () => [json(record(300), 300), json(record(6558), 6558), json(record(208_000), 208_000)]
  }
}).map(([name, scenario]) => ({ name, ...scenario }))

/** Small requests beside large posts, for their latency: `--rate=200 --duration=2000`. */
function besideLarge (what, options) {
  return {
    ...on('express5', `small JSON, 300 B, beside posts of 5 MB on 2 connections${what}`, { json: { limit: '10mb', ...options } }),
    requests: () => [json(record(300), 300)],
    beside: { requests: () => [json(record(5_000_000), 5_000_000)], connections: 2 }
  }
}

function on (app, about, parsers) {
  const place = { http: 'node:http', express4: 'Express 4', express5: 'Express 5' }[app]
  return { about: `${about}, on ${place}`, app, parsers, answer: 'tail' }
}
