// Parsers of the app's own, and what guards the one that is built in.

import {
  createParser, json, raw, text, urlencoded, type Middleware, type OptionsCustom, type OptionsCustomBytes,
  type OptionsJsonWithoutReviver, type PoisoningAction
} from 'fast-body-parser'
import type { IncomingMessage } from 'node:http'

// json({ parse })
json({ parse: (text) => text.length })
// @ts-expect-error what JSON.parse takes second is a reviver
json({ parse: JSON.parse })
json({
  parse: async (text, { charset, reviver, req, signal }) =>
    [text.trim(), charset.trim(), req.method, reviver, signal.aborted]
})
json({ parse: (text: string, context: { charset: string }) => [text, context.charset] })
json({ parse: (text, { reviver }) => JSON.parse(text, reviver), reviver: (_key, value) => value })
json({ parse () { throw new Error('no') } })
// @ts-expect-error
json({ parse: 'JSON' })
// @ts-expect-error
json({ parse: (bytes: Buffer) => bytes })
// @ts-expect-error
json({ parse: (_text, { headers }) => headers })
// @ts-expect-error a text, a context, and no more
json({ parse: (_text, _context, third) => third })
// @ts-expect-error the charset of text is never null
json({ parse: (_text, context: { charset: null }) => context })

// urlencoded({ parse })
urlencoded({ parse: (text) => Object.fromEntries(new URLSearchParams(text)) })
urlencoded({
  parse: async (text, { charset, req, signal }) => [text.trim(), charset.trim(), req.method, signal.aborted]
})
// @ts-expect-error a form has no reviver
urlencoded({ parse: (_text, { reviver }) => reviver })
// @ts-expect-error
urlencoded({ parse: true })

// the others have no `parse`
// @ts-expect-error
raw({ parse: (bytes: Buffer) => bytes })
// @ts-expect-error
text({ parse: (text: string) => text })

// createParser()
export const middleware: Middleware = createParser({ type: 'application/yaml', parse: (text) => text.trim() })
createParser({
  type: ['a/b', '+b'],
  parse: async (text, { charset, req, signal }) => [text.trim(), charset.trim(), req.method, signal.aborted]
})
createParser({ type: 'a/b', charset: 'koi8-r', parse: (text) => text.trim() })
createParser({ type: 'a/b', charset: undefined, parse: (text) => text.trim() })
createParser({
  type: 'a/b',
  charset: false,
  parse: (bytes, { charset, req, signal }) => [bytes.length, charset === null, req.method, signal.aborted]
})
createParser({
  type: 'a/b',
  parse: (text) => text,
  limit: '1mb',
  drainLimit: 5,
  inflate: false,
  rawBody: true,
  buffered: true,
  verify () {}
})
createParser({ type: 'a/b', parse: (text) => text, verify: (_req, _res, _bytes, encoding) => encoding.length })
export const ofText: OptionsCustom = { type: 'a/b', parse: (text) => text.trim() }
export const ofBytes: OptionsCustomBytes = { type: 'a/b', charset: false, parse: (bytes) => bytes.readUInt8() }
export const typed = createParser({
  type: 'a/b',
  parse: (text: string, { req }: { req: IncomingMessage }) => [text, req]
})

// @ts-expect-error
createParser()
// @ts-expect-error
createParser({})
// @ts-expect-error a parser of any type has no type by default
createParser({ parse: (text: string) => text })
// @ts-expect-error
createParser({ type: undefined, parse: (text: string) => text })
// @ts-expect-error
createParser({ type: 'a/b' })
// @ts-expect-error
createParser({ type: 'a/b', parse: undefined })
// @ts-expect-error
createParser({ type: 5, parse: (text: string) => text })
// @ts-expect-error
createParser({ type: 'a/b', charset: true, parse: (text: string) => text })
// @ts-expect-error text, not bytes
createParser({ type: 'a/b', parse: (bytes: Buffer) => bytes })
// @ts-expect-error bytes, not text
createParser({ type: 'a/b', charset: false, parse: (text: string) => text })
// @ts-expect-error bytes have no charset
createParser({ type: 'a/b', charset: false, parse: (_bytes, { charset }) => charset.length })
// @ts-expect-error it is called charset here
createParser({ type: 'a/b', parse: (text: string) => text, defaultCharset: 'utf-8' })
// @ts-expect-error
createParser({ type: 'a/b', parse: (text: string) => text, strict: false })

// poisoned keys, prototypes, depth
json({ onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' })
json({ onProtoPoisoning: 'ignore', onConstructorPoisoning: undefined })
export const action: PoisoningAction = 'remove'
export const guarded: OptionsJsonWithoutReviver = { onProtoPoisoning: action, depth: 20 }
json({ depth: undefined })
// @ts-expect-error
json({ onProtoPoisoning: 'throw' })
// @ts-expect-error
json({ onConstructorPoisoning: true })
// @ts-expect-error
json({ depth: '20' })
// @ts-expect-error an option of qs
urlencoded({ allowPrototypes: false })
// @ts-expect-error
urlencoded({ extended: true, qs: { allowPrototypes: 'no' } })
// @ts-expect-error
urlencoded({ onProtoPoisoning: 'error' })
// @ts-expect-error
raw({ depth: 20 })
