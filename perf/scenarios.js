'use strict'

// All scenarios. To add one, add an entry.

const { bad, form, get, json, raw, text } = require('./requests')

const JSON_ONLY = { json: {} }
const ALL_FOUR = { json: {}, urlencoded: { extended: true }, text: {}, raw: {} }
const FIVE_FIELDS = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  subject: 'Notes on the engine',
  message: 'See table & figure',
  last: 'the-end!'
}
const PLACES = { http: 'node:http', express4: 'Express 4', express5: 'Express 5' }

/**
 * @typedef {object} Scenario
 * @property {string} name begins with that of the app, which is express5 otherwise
 * @property {string} about one line
 * @property {'http' | 'express4' | 'express5'} app
 * @property {Record<string, object>} parsers options by parser, in the order of the stack
 * @property {'tail' | 'echo' | 'echoAll'} answer see app.js
 * @property {() => import('./requests').Request[]} requests sent in turn
 * @property {{ requests: () => import('./requests').Request[], connections: number }} [beside] sent meanwhile
 */

/** @returns {Scenario} */
function scenario (name, about, parsers, requests, more) {
  const [start] = name.split('-')
  const app = start in PLACES ? start : 'express5'
  return { name, about: `${about}, on ${PLACES[app]}`, app, parsers, answer: 'tail', requests, ...more }
}

/** JSON of a size, alone. */
const one = (bytes, how) => () => [json(bytes, how)]
const withLimit = (limit, more) => ({ json: { limit, ...more } })

/** Small requests beside large posts, for their latency: `--rate=200 --duration=2000`. */
function besideLarge (suffix, what, options) {
  const about = `small JSON, 300 B, beside posts of 5 MB on 2 connections${what}`
  const beside = { requests: one(5_000_000), connections: 2 }
  return scenario(`express5-beside-large${suffix}`, about, withLimit('10mb', options), one(300), { beside })
}

/** @type {Scenario[]} */
module.exports = [
  scenario('http-json', 'small JSON, 300 B', JSON_ONLY, one(300)),
  scenario('http-json-medium', 'medium JSON, 6,558 B, sent back', JSON_ONLY, one(6558), { answer: 'echo' }),
  scenario('express4-json', 'small JSON, 300 B', JSON_ONLY, one(300)),
  scenario('express5-json', 'small JSON, 300 B', JSON_ONLY, one(300)),
  scenario('express5-json-1kb', 'JSON, 1,000 B', JSON_ONLY, one(1000)),
  scenario('express5-json-medium', 'medium JSON, 6,558 B', JSON_ONLY, one(6558)),
  scenario('express5-json-medium-gzip', 'medium JSON, 6,558 B, content coding gzip', JSON_ONLY,
    one(6558, { coding: 'gzip' })),
  scenario('express5-json-large', 'large JSON, 208 KB', withLimit('1mb'), one(208_000)),
  scenario('express5-json-huge', 'huge JSON, 5 MB', withLimit('10mb'), one(5_000_000)),
  scenario('express5-json-mix', 'JSON of 150 B to 40 KB in turn, some of it not ASCII', JSON_ONLY, () => [
    json(150),
    json(300),
    json(6558),
    json(1200, { comment: 'naïve café' }),
    json(300),
    json(900, { comment: '日本語 😀' }),
    json(40_000),
    json(600)
  ]),
  scenario('express5-json-chunked', 'JSON of 2,000 B in chunked transfer coding, 4 chunks', JSON_ONLY,
    one(2000, { chunks: 4 })),
  scenario('express5-json-gzip', 'JSON of 2,000 B, content coding gzip', JSON_ONLY, one(2000, { coding: 'gzip' })),
  scenario('express5-json-br', 'JSON of 2,000 B, content coding br', JSON_ONLY, one(2000, { coding: 'br' })),
  scenario('express5-urlencoded', 'a form of 5 fields, 126 B', { urlencoded: { extended: true } },
    () => [form(FIVE_FIELDS, 126)]),
  scenario('express5-text', 'text, 300 B', { text: {} }, () => [text(300)]),
  scenario('express5-raw', 'raw bytes, 300 B', { raw: {} }, () => [raw(300)]),
  scenario('express5-raw-60kb', 'raw bytes, 60 KB', { raw: {} }, () => [raw(60_000)]),
  scenario('express5-get', 'GET without a body through all four parsers', ALL_FOUR, () => [get()]),
  scenario('express5-stack', 'all four parsers stacked, and a request for each in turn', ALL_FOUR, () => [
    json(300),
    get(),
    form({ id: '4711', name: 'Ada Lovelace', last: 'the-end!' }, 41),
    json(300),
    text(300),
    get(),
    json(300),
    raw(300)
  ]),
  scenario('express5-bad', 'small JSON, 300 B, and one bad request in four', withLimit('1kb'), () => [
    bad('application/json', '{"id":4711,"name":"Ada', 22, 400, 'entity.parse.failed'),
    bad('application/json', `"${'x'.repeat(2046)}"`, 2048, 413, 'entity.too.large'),
    bad('application/json; charset=latin1', '{"id":4711}', 11, 415, 'charset.unsupported')
  ].flatMap((refused) => [json(300), json(300), json(300), refused])),
  besideLarge('', ''),
  besideLarge('-cooperative', ', with cooperative', { cooperative: true }),
  scenario('@expressjs/perf-load-body-parser',
    'small, medium and large JSON in turn through all four parsers, body and headers sent back',
    { ...ALL_FOUR, ...withLimit('1mb') }, () => [300, 6558, 208_000].map((bytes) => json(bytes)), { answer: 'echoAll' })
]
