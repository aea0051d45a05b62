// Parsers of the app's own, what guards the one that is built in, and which options exclude each other.

import {
  createParser, json, jsonArray, ndjson, raw, urlencoded, type Middleware, type OptionsCustom,
  type OptionsCustomBytes, type OptionsJson, type OptionsJsonParse, type OptionsJsonWithoutReviver,
  type OptionsUrlencodedParse, type PoisoningAction
} from 'fast-body-parser'

const reviver = (_key: string, value: unknown) => value
const parse = (text: string) => text

// json({ parse }), for which there is no other way to parse
json({ parse, reviver, strict: false, defaultCharset: 'utf-16', limit: '1mb', cooperative: false })
json({
  parse: async (text, { charset, reviver, req, signal }) =>
    [text.trim(), charset.trim(), JSON.parse(text, reviver), req.method, signal.aborted]
})
json({ parse: (text: string, context: { charset: string }) => [text, context.charset] })
// @ts-expect-error what JSON.parse takes second is a reviver
json({ parse: JSON.parse })
// @ts-expect-error
json({ parse: (bytes: Buffer) => bytes })
// @ts-expect-error
json({ parse: (_text, { headers }) => headers })
// @ts-expect-error a text, a context, and no more
json({ parse: (_text, _context, third) => third })
// @ts-expect-error the charset of text is never null
json({ parse: (_text, context: { charset: null }) => context })
// @ts-expect-error
json({ parse, depth: 20 })
// @ts-expect-error
json({ parse, onProtoPoisoning: 'ignore' })
// @ts-expect-error
json({ parse, onConstructorPoisoning: 'error' })
// @ts-expect-error
json({ parse, cooperative: true })

// The result of a reviver is not searched for keys, nor made in slices
json({ reviver, depth: 20, onProtoPoisoning: 'ignore', onConstructorPoisoning: 'ignore', cooperative: false })
// @ts-expect-error
json({ reviver, onProtoPoisoning: 'error' })
// @ts-expect-error
json({ reviver, onConstructorPoisoning: 'remove' })
// @ts-expect-error
json({ reviver, cooperative: { threshold: '1mb' } })
ndjson({ reviver, depth: 20, onProtoPoisoning: 'ignore' })
// @ts-expect-error
ndjson({ reviver, onProtoPoisoning: 'error' })
// @ts-expect-error
ndjson({ reviver, onConstructorPoisoning: 'remove' })
// @ts-expect-error
jsonArray({ reviver, onProtoPoisoning: 'remove' })
// @ts-expect-error
jsonArray({ reviver, onConstructorPoisoning: 'error' })

// What guards it
json({ cooperative: { slice: 1, threshold: '1mb' }, onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' })
export const action: PoisoningAction = 'remove'
export const guarded: OptionsJsonWithoutReviver = { onProtoPoisoning: action, depth: undefined, cooperative: true }
// @ts-expect-error
json({ onProtoPoisoning: 'throw' })
// @ts-expect-error
json({ cooperative: { size: 1 } })

// urlencoded({ parse })
urlencoded({ parse, extended: true, parameterLimit: 10, defaultCharset: 'iso-8859-1' })
urlencoded({
  parse: async (text, { charset, req, signal }) => [text.trim(), charset.trim(), req.method, signal.aborted]
})
// @ts-expect-error a form has no reviver
urlencoded({ parse: (_text, { reviver }) => reviver })
// @ts-expect-error
urlencoded({ parse: true })
// @ts-expect-error
urlencoded({ parse, depth: 3 })
// @ts-expect-error
urlencoded({ parse, charsetSentinel: true })
// @ts-expect-error
urlencoded({ parse, interpretNumericEntities: false })
// @ts-expect-error
urlencoded({ parse, extended: true, qs: { comma: true } })

// test/options/table.js compares which parser has which option
// @ts-expect-error
raw({ parse: (bytes: Buffer) => bytes })

// createParser()
export const middleware: Middleware = createParser({ type: 'application/yaml', parse: (text) => text.trim() })
createParser({
  type: ['a/b', '+b'],
  charset: 'koi8-r',
  parse: async (text, { charset, req, signal }) => [text.trim(), charset.trim(), req.method, signal.aborted]
})
createParser({
  type: 'a/b',
  charset: false,
  parse: (bytes, { charset, req, signal }) => [bytes.length, charset === null, req.method, signal.aborted]
})
createParser({
  type: 'a/b',
  charset: undefined,
  parse,
  limit: '1mb',
  drainLimit: 5,
  inflate: false,
  rawBody: true,
  buffered: true,
  verify: (_req, _res, _bytes, encoding) => encoding.length
})

// @ts-expect-error
createParser()
// @ts-expect-error a parser of any type has no type by default
createParser({ type: undefined, parse })
// @ts-expect-error
createParser({ type: 'a/b', parse: undefined })
// @ts-expect-error
createParser({ type: 'a/b', charset: true, parse })
// @ts-expect-error text, not bytes
createParser({ type: 'a/b', parse: (bytes: Buffer) => bytes })
// @ts-expect-error bytes, not text
createParser({ type: 'a/b', charset: false, parse })
// @ts-expect-error bytes have no charset
createParser({ type: 'a/b', charset: false, parse: (_bytes, { charset }) => charset.length })
// @ts-expect-error it is called charset here
createParser({ type: 'a/b', parse, defaultCharset: 'utf-8' })

// Options in variables, and interfaces that extend ours
const plain: OptionsJson = { reviver, depth: 20 }
const own: OptionsJsonParse = { parse, reviver }
const form: OptionsUrlencodedParse = { parse }
const ofText: OptionsCustom = { type: 'a/b', parse: (text) => text.trim() }
const ofBytes: OptionsCustomBytes = { type: 'a/b', charset: false, parse: (bytes) => bytes.readUInt8() }
interface Extended extends OptionsJson {
  name: string
}
const extended: Extended = { name: 'v1', limit: '1mb' }
export const parsers: Middleware[] = [
  json(plain), json(own), json(extended), urlencoded(form), createParser(ofText), createParser(ofBytes)
]
