'use strict'

// Which tests must notice the mutants of a file: those of its own name, and
// those that are listed here.

const { existsSync, readdirSync } = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '../..')

const MORE = {
  'core/charset': ['parsers/charset', 'core/middleware'],
  'core/collect': ['core/connections', 'core/read', 'parsers/limit', 'parsers/order-of-checks'],
  'core/compat': ['core/inflate', 'parsers/json', 'compat/async-context'],
  'core/drain': ['core/connections', 'extras/drain-limit', 'extras/deadline'],
  'core/errors': ['parsers/limit', 'parsers/verify', 'parsers/charset', 'compat/throwing-callbacks', 'extras/problem-details'],
  'core/exchange': ['parsers/raw', 'parsers/limit', 'core/inflate', 'extras/budget', 'extras/deadline', 'extras/buffered', 'compat/async-context', 'core/isolation'],
  'core/inflate': ['parsers/content-coding', 'compat/aborted-requests', 'compat/other-requests', 'extras/budget'],
  'core/lazy': ['package/preloading', 'package/loading'],
  'core/match': ['parsers/media-type', 'parsers/charset', 'compat/other-requests', 'compat/answered-requests', 'compat/destroyed-requests', 'extras/buffered', 'package/loading'],
  'core/middleware': ['parsers/verify', 'parsers/order-of-checks', 'package/preloading', 'extras/buffered', 'extras/inspect', 'extras/promise', 'extras/raw-body', 'extras/raw-body-coded', 'extras/request-limit', 'extras/schema', 'extras/own-parse'],
  'core/options': ['parsers/options', 'extras/budget', 'extras/deadline', 'extras/request-limit', 'extras/schema', 'extras/warnings', 'extras/coding-lists'],
  'extras/async': ['extras/own-parse', 'parsers/verify', 'compat/shared-requests', 'parsers/custom', 'extras/cooperative', 'core/middleware'],
  'extras/close-connection': ['core/drain', 'extras/drain-limit', 'extras/deadline'],
  'extras/buffered': ['extras/inspect'],
  'extras/cooperative': ['extras/cooperative-clients', 'extras/debug', 'extras/inspect'],
  'extras/form-parse': ['extras/own-parse', 'extras/qs-options', 'extras/prototype-poisoning'],
  'extras/json-parse': ['extras/own-parse', 'extras/max-depth', 'extras/empty', 'extras/prototype-poisoning', 'extras/cooperative', 'package/loading'],
  'extras/observers': ['extras/budget', 'extras/deadline', 'core/options'],
  'extras/raw-body': ['extras/raw-body-coded'],
  'extras/warnings': ['core/options'],
  'form/flat': ['parsers/urlencoded'],
  'form/nested': ['parsers/urlencoded', 'extras/qs-options'],
  'form/parse': ['parsers/urlencoded', 'parsers/options', 'extras/debug', 'extras/inspect', 'extras/own-parse', 'extras/qs-options', 'extras/prototype-poisoning'],
  'json/parse': ['parsers/json', 'parsers/charset', 'extras/debug', 'extras/empty', 'extras/inspect', 'extras/max-depth', 'extras/own-parse', 'extras/prototype-poisoning', 'extras/reviver-source'],
  read: ['core/read', 'core/connections', 'parsers/content-coding', 'parsers/order-of-checks', 'parsers/limit'],
  'slices/parse': ['slices/index'],
  'slices/parser': ['slices/parse', 'slices/index', 'slices/error-message'],
  'types/custom': ['parsers/custom', 'parsers/options', 'extras/debug', 'extras/async', 'extras/own-parse'],
  'types/json': ['parsers/json', 'parsers/options', 'extras/debug', 'package/loading'],
  'types/raw': ['parsers/raw', 'parsers/options', 'extras/debug'],
  'types/text': ['parsers/text', 'parsers/options', 'extras/debug'],
  'types/urlencoded': ['parsers/urlencoded', 'parsers/options', 'extras/debug', 'extras/qs-options', 'package/loading'],
  'web/content': ['extras/web'],
  'web/index': ['extras/web'],
  'web/read': ['extras/web']
}

/** They take longest, so they are begun first. */
const SLOWEST = ['extras/cooperative', 'slices/parser']

/** @returns {{ name: string, tests: string[] }[]} paths from the root, for all of lib/ */
module.exports = function testsOf () {
  const names = readdirSync(path.join(ROOT, 'lib'), { recursive: true }).filter((name) => name.endsWith('.js')).sort()
  const keys = names.map((name) => name.slice(0, -'.js'.length).split(path.sep).join('/'))
  return [...SLOWEST, ...keys.filter((key) => !SLOWEST.includes(key))].map((key) => {
    const own = existsSync(path.join(ROOT, `test/${key}.js`)) ? [key] : []
    return { name: `lib/${key}.js`, tests: [...own, ...MORE[key] ?? []].map((test) => `test/${test}.js`) }
  })
}
