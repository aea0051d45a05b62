// What an ES module gets, from the package and from each subpath.

import bodyParser, { json, raw, text, urlencoded } from 'fast-body-parser'
import type {
  BodyParser, Middleware, Options, OptionsJson, OptionsRaw, OptionsText, OptionsUrlencoded
} from 'fast-body-parser'
import * as namespace from 'fast-body-parser'
import jsonAlone from 'fast-body-parser/json'
import parseInSlices from 'fast-body-parser/json-slices'
import rawAlone from 'fast-body-parser/raw'
import textAlone from 'fast-body-parser/text'
import urlencodedAlone from 'fast-body-parser/urlencoded'

const common: Options = { limit: '1mb' }
const forJson: OptionsJson = { ...common, strict: false }
const forRaw: OptionsRaw = { ...common }
const forText: OptionsText = { ...common, defaultCharset: 'latin1' }
const forForms: OptionsUrlencoded = { ...common, extended: true }

const parser: BodyParser = bodyParser
export const middlewares: Middleware[] = [
  parser.json(forJson), parser.raw(forRaw), parser.text(forText), parser.urlencoded(forForms),
  json(forJson), raw(forRaw), text(forText), urlencoded(forForms),
  namespace.json(forJson), namespace.default.json(forJson),
  jsonAlone(forJson), rawAlone(forRaw), textAlone(forText), urlencodedAlone(forForms),
  (await import('fast-body-parser')).default.json(forJson)
]

export const values: Promise<unknown[]> = Promise.all([
  parseInSlices('{}'),
  parseInSlices(new Uint8Array(2), { signal: AbortSignal.timeout(1), slice: 2, depth: 9, onProtoPoisoning: 'error' }),
  parseInSlices([Buffer.from('{}')])
])

// @ts-expect-error
parseInSlices({})
// @ts-expect-error
parseInSlices('{}', { reviver: () => 1 })
// @ts-expect-error
jsonAlone({ parameterLimit: 1 })
// @ts-expect-error
namespace.xml()
