'use strict'

// Functions that users give to parsers, or run around them. They refer to
// nothing outside, so that a report can show them.

/* eslint-disable no-throw-literal */

exports.verify = [
  () => {},
  (req, res, bytes) => { if (bytes.length > 5) bytes[1] = 0x20 },
  (req, res, bytes) => { if (bytes[0] === 0x7B) throw new Error('brace') },
  () => { throw Object.assign(new Error('no'), { status: 401, type: 'own' }) },
  () => { throw Object.assign(new TypeError('no'), { statusCode: 200, expose: true }) },
  () => { throw Object.assign(new Error('no'), { status: 777 }) },
  () => { throw Object.assign(new Error('no'), { status: 0, type: '' }) },
  () => { throw Object.assign(new Error('no'), { status: 'x', body: 1 }) },
  () => { throw 'no' },
  () => { throw { type: 'own', status: 400 } },
  (req) => { req.body = 'set by verify' },
  () => 5
]

exports.type = [
  () => true,
  () => false,
  (req) => req.headers['content-type'],
  (req) => req.method === 'POST',
  () => { throw new Error('type') }
]

exports.reviver = [
  (name, value) => value,
  (name, value) => typeof value === 'number' ? undefined : value,
  function (name, value) { return Array.isArray(this) ? String(value) : value },
  (name, value) => { if (value === 1) throw new Error('one'); return value },
  () => { throw Object.assign(new TypeError('root'), { status: 422, type: 'own', extra: 1 }) },
  () => { throw 'text' },
  () => { throw undefined },
  () => { throw { message: 'no error', stack: 'stack', x: 1 } },
  () => { throw Object.freeze(new Error('frozen')) },
  () => null
]

/** What runs before the parsers; `go` calls them. The matrix pauses, resumes and destroys requests. */
exports.before = [
  (req, go) => setImmediate(go),
  (req, go) => process.nextTick(go),
  (req, go) => setTimeout(go, 2),
  (req, go) => { req.body = { x: 1 }; go() },
  (req, go) => { req.resume().on('end', go) },
  (req, go) => { req.on('data', () => {}); go() },
  (req, go) => { go(); req.on('data', () => {}) },
  (req, go) => { req.headers['content-length'] = '5.5'; go() },
  (req, go) => { req.headers['content-length'] = '0x2'; go() },
  (req, go) => { req.headers['content-length'] = 2; go() },
  (req, go) => { delete req.headers['content-length']; go() },
  (req, go) => { req.headers['transfer-encoding'] = 'chunked'; go() },
  (req, go) => { delete req.headers['content-encoding']; go() }
]

/** What passes between two parsers of a stack. */
exports.gap = [(go) => go(), (go) => process.nextTick(go), (go) => setImmediate(go)]
