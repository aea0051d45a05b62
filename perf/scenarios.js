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

const PLACES = { http: 'node:http', express4: 'Express 4', express5: 'Express 5' }

/** @returns {Scenario} */
function scenario (name, app, about, parsers, requests, more) {
  return { name, about: `${about}, on ${PLACES[app]}`, app, parsers, answer: 'tail', requests, ...more }
}

/** JSON of a size, alone. */
const one = (bytes, how) => () => [json(record(bytes), bytes, how)]

/** Small requests beside large posts, for their latency: `--rate=200 --duration=2000`. */
function besideLarge (suffix, what, options) {
  return scenario(`express5-beside-large${suffix}`, 'express5', `small JSON, 300 B, beside posts of 5 MB on 2 connections${what}`,
    { json: { limit: '10mb', ...options } }, one(300), { beside: { requests: one(5_000_000), connections: 2 } })
}

/** @type {Scenario[]} */
module.exports = [
  scenario('http-json', 'http', 'small JSON, 300 B', JSON_ONLY, one(300)),
  scenario('http-json-medium', 'http', 'medium JSON, 6,558 B, sent back', JSON_ONLY, one(6558), { answer: 'echo' }),
  scenario('express4-json', 'express4', 'small JSON, 300 B', JSON_ONLY, one(300)),
  scenario('express5-json', 'express5', 'small JSON, 300 B', JSON_ONLY, one(300)),
  scenario('express5-json-1kb', 'express5', 'JSON, 1,000 B', JSON_ONLY, one(1000)),
  scenario('express5-json-medium', 'express5', 'medium JSON, 6,558 B', JSON_ONLY, one(6558)),
  scenario('express5-json-medium-gzip', 'express5', 'medium JSON, 6,558 B, content coding gzip', JSON_ONLY, one(6558, { coding: 'gzip' })),
  scenario('express5-json-large', 'express5', 'large JSON, 208 KB', { json: { limit: '1mb' } }, one(208_000)),
  scenario('express5-json-huge', 'express5', 'huge JSON, 5 MB', { json: { limit: '10mb' } }, one(5_000_000)),
  scenario('express5-json-mix', 'express5', 'JSON of 150 B to 40 KB in turn, some of it not ASCII', JSON_ONLY, () => [
    json(record(150), 150),
    json(record(300), 300),
    json(record(6558), 6558),
    json(record(1200, 'naïve café'), 1200),
    json(record(300), 300),
    json(record(900, '日本語 😀'), 900),
    json(record(40_000), 40_000),
    json(record(600), 600)
  ]),
  scenario('express5-json-chunked', 'express5', 'JSON of 2,000 B in chunked transfer coding, 4 chunks', JSON_ONLY, one(2000, { chunks: 4 })),
  scenario('express5-json-gzip', 'express5', 'JSON of 2,000 B, content coding gzip', JSON_ONLY, one(2000, { coding: 'gzip' })),
  scenario('express5-json-br', 'express5', 'JSON of 2,000 B, content coding br', JSON_ONLY, one(2000, { coding: 'br' })),
  scenario('express5-urlencoded', 'express5', 'a form of 5 fields, 126 B', { urlencoded: { extended: true } }, () => [form(FIVE_FIELDS, 126)]),
  scenario('express5-text', 'express5', 'text, 300 B', { text: {} }, () => [text(words(300), 300)]),
  scenario('express5-raw', 'express5', 'raw bytes, 300 B', { raw: {} }, () => [raw(binary(300), 300)]),
  scenario('express5-raw-60kb', 'express5', 'raw bytes, 60 KB', { raw: {} }, () => [raw(binary(60_000), 60_000)]),
  scenario('express5-get', 'express5', 'GET without a body through all four parsers', ALL_FOUR, () => [get()]),
  scenario('express5-stack', 'express5', 'all four parsers stacked, and a request for each in turn', ALL_FOUR, () => [
    json(record(300), 300),
    get(),
    form({ id: '4711', name: 'Ada Lovelace', last: 'the-end!' }, 41),
    json(record(300), 300),
    text(words(300), 300),
    get(),
    json(record(300), 300),
    raw(binary(300), 300)
  ]),
  scenario('express5-bad', 'express5', 'small JSON, 300 B, and one bad request in four', { json: { limit: '1kb' } }, () => [
    bad('application/json', '{"id":4711,"name":"Ada', 22, 400, 'entity.parse.failed'),
    bad('application/json', `"${'x'.repeat(2046)}"`, 2048, 413, 'entity.too.large'),
    bad('application/json; charset=latin1', '{"id":4711}', 11, 415, 'charset.unsupported')
  ].flatMap((refused) => [...new Array(3).fill(json(record(300), 300)), refused])),
  besideLarge('', ''),
  besideLarge('-cooperative', ', with cooperative', { cooperative: true }),
  scenario('@expressjs/perf-load-body-parser', 'express5', 'small, medium and large JSON in turn through all four parsers, body and headers sent back',
    { ...ALL_FOUR, json: { limit: '1mb' } }, () => [300, 6558, 208_000].flatMap((bytes) => one(bytes)()), { answer: 'echoAll' })
]
