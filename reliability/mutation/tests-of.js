'use strict'

// Which tests must notice the mutants of a file: those of its own name, and
// those that are listed here.

const { existsSync, readdirSync } = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '../..')

const MORE = {
  'answers/validate': ['answers/schema'],
  'coding/inflate': ['parsers/content-coding', 'compat/aborted-requests', 'compat/other-requests', 'guards/budget'],
  'coding/raw-body': ['coding/raw-body-coded'],
  'body/promises': ['parsers/own-parse', 'parsers/verify', 'compat/shared-requests', 'parsers/custom', 'json/cooperative'],
  'body/bytes': ['body/exchange', 'multipart/scanner', 'multipart/forms', 'multipart/stores'],
  buffered: ['options/show'],
  'body/charset': ['parsers/charset', 'compose', 'package/loading'],
  'body/collect': ['request/connections', 'read', 'parsers/limit', 'parsers/order-of-checks'],
  platform: ['coding/inflate', 'coding/zstd-frames', 'parsers/json', 'compat/async-context'],
  'request/drain': ['request/connections', 'guards/drain-limit', 'guards/deadline'],
  errors: ['parsers/limit', 'parsers/verify', 'parsers/charset', 'compat/throwing-callbacks', 'answers/problem-details', 'package/loading'],
  'body/exchange': ['parsers/raw', 'parsers/limit', 'coding/inflate', 'guards/budget', 'guards/deadline', 'buffered', 'body/signal', 'compat/async-context', 'body/isolation'],
  'body/feed': ['multipart/forms', 'multipart/parts', 'multipart/with-others', 'ndjson/requests', 'ndjson/cuts'],
  'request/listen': ['request/drain', 'coding/inflate', 'body/collect'],
  'body/match': ['parsers/media-type', 'parsers/charset', 'compat/other-requests', 'compat/answered-requests', 'compat/destroyed-requests', 'buffered', 'package/loading'],
  compose: ['parsers/verify', 'parsers/order-of-checks', 'buffered', 'options/show', 'body/read-promise', 'coding/raw-body', 'coding/raw-body-coded', 'options/limit', 'answers/schema', 'parsers/own-parse', 'insight/diagnostics', 'package/loading'],
  'form/own-parse': ['parsers/own-parse'],
  'form/parse': ['parsers/urlencoded', 'parsers/options', 'insight/debug', 'options/show', 'parsers/own-parse', 'form/qs-options'],
  'form/flat': ['parsers/urlencoded'],
  'form/nested': ['parsers/urlencoded', 'form/qs-options'],
  'guards/budget': ['warnings'],
  'request/close-connection': ['request/drain', 'guards/drain-limit', 'guards/deadline'],
  'guards/index': ['guards/guards', 'request/client'],
  'json/cooperative': ['json/cooperative-clients', 'insight/debug', 'options/show'],
  'json/in-slices': ['slices/index', 'warnings'],
  'json/own-parse': ['parsers/own-parse'],
  'json/parse': ['parsers/json', 'parsers/charset', 'insight/debug', 'json/empty', 'options/show', 'json/depth', 'parsers/own-parse', 'json/prototype-poisoning', 'json/reviver-source'],
  'json/poisoning': ['json/prototype-poisoning', 'engine/options'],
  'multipart/app-sink': ['multipart/files', 'multipart/stores', 'multipart/parts'],
  'multipart/disk': ['multipart/stores'],
  'multipart/file': ['multipart/files', 'multipart/stores'],
  'multipart/form': ['multipart/forms', 'multipart/parts', 'multipart/stores', 'multipart/with-others'],
  'multipart/stores': ['multipart/forms', 'multipart/form'],
  'ndjson/chunks': ['ndjson/records', 'ndjson/requests'],
  'ndjson/parse': ['ndjson/records', 'ndjson/options', 'ndjson/requests', 'ndjson/web'],
  'ndjson/records': ['ndjson/requests'],
  'ndjson/schema': ['ndjson/records'],
  checks: ['options/limit', 'options/read', 'guards/drain-limit'],
  'options/exchange': ['guards/budget', 'guards/deadline', 'options/table', 'buffered', 'coding/raw-body', 'answers/schema', 'json/cooperative'],
  'options/form': ['parsers/urlencoded', 'form/qs-options', 'parsers/options'],
  'options/index': ['options/read', 'options/table', 'options/show', 'parsers/options', 'warnings', 'guards/budget', 'guards/deadline', 'answers/schema', 'web/web'],
  'options/multipart': ['multipart/options', 'multipart/forms', 'multipart/stores'],
  'options/node-only': ['parsers/custom', 'parsers/options', 'guards/budget'],
  'options/qs': ['form/qs-options'],
  'options/table': ['options/read', 'options/show', 'parsers/options', 'parsers/verify', 'multipart/options', 'ndjson/options', 'form/qs-options', 'json/depth', 'json/empty', 'json/prototype-poisoning', 'json/cooperative', 'answers/schema'],
  warnings: ['checks', 'options/read'],
  'engine/define': ['engine/repair', 'slices/open-containers', 'slices/index'],
  'engine/escaped-keys': ['engine/repair', 'engine/random-keys'],
  'engine/revive': ['engine/repair'],
  'engine/stand-ins': ['engine/repair', 'engine/random-keys'],
  'engine/code-units': ['engine/repair', 'engine/random-keys'],
  'engine/text': ['slices/scanner', 'engine/escaped-keys', 'engine/repair', 'json/depth', 'parsers/json'],
  read: ['read', 'request/connections', 'parsers/content-coding', 'parsers/order-of-checks', 'parsers/limit'],
  'slices/parse': ['slices/index'],
  'slices/parser': ['slices/parse', 'slices/index', 'slices/error-message'],
  'types/custom': ['parsers/custom', 'parsers/options', 'insight/debug', 'body/promises', 'parsers/own-parse'],
  'types/json': ['parsers/json', 'parsers/options', 'insight/debug', 'package/loading'],
  'types/multipart': ['multipart/options', 'multipart/forms', 'multipart/parts', 'multipart/stores', 'multipart/with-others'],
  'types/ndjson': ['ndjson/records', 'ndjson/options', 'ndjson/requests'],
  'types/raw': ['parsers/raw', 'parsers/options', 'insight/debug'],
  'types/text': ['parsers/text', 'parsers/options', 'insight/debug'],
  'types/urlencoded': ['parsers/urlencoded', 'parsers/options', 'insight/debug', 'form/qs-options', 'package/loading']
}
const WEB = ['web/web', 'web/web-clients', 'ndjson/web']

const SLOWEST = ['json/cooperative', 'slices/parser'] // they start first

/** @returns {{ name: string, tests: string[] }[]} paths from the root, for all of lib/ */
module.exports = function testsOf () {
  const names = readdirSync(path.join(ROOT, 'lib'), { recursive: true }).filter((name) => name.endsWith('.js')).sort()
  const keys = names.map((name) => name.slice(0, -'.js'.length).split(path.sep).join('/'))
  return [...SLOWEST, ...keys.filter((key) => !SLOWEST.includes(key))].map((key) => {
    const own = existsSync(path.join(ROOT, `test/${key}.js`)) ? [key] : []
    return { name: `lib/${key}.js`, tests: [...own, ...key.startsWith('web/') ? WEB : MORE[key] ?? []].map((test) => `test/${test}.js`) }
  })
}
