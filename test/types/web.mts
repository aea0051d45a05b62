// The parsers for a Request, whose type is that of the runtime.

import web, { createBudget, firstOf, json, ndjson, raw, text, toResponse, urlencoded } from 'fast-body-parser/web'
import type { StandardSchema } from 'fast-body-parser'

const request = new Request('http://localhost/')
export const body: Promise<any> = json()(request)
export const bytes: Promise<Uint8Array | undefined> = raw({ limit: '1mb' })(request)
export const string: Promise<string | undefined> = text({ defaultCharset: 'windows-1252' })(request)
export const form: Promise<any> = web.urlencoded({ extended: true, qs: { comma: true } })(request)

declare const User: StandardSchema<{ name: string }, { name: string, age: number }>
export const user: Promise<{ name: string, age: number }> = json({ schema: User })(request)
// @ts-expect-error
export const wrong: Promise<{ name: number }> = json({ schema: User })(request)

export const records: Promise<string | undefined | web.Records> = firstOf(text(), firstOf(ndjson()))(request)
// @ts-expect-error
firstOf()
// @ts-expect-error
firstOf(json)
export const response: Response = toResponse(new Error('x'), { base: 'https://example.com/' })
// @ts-expect-error
toResponse(new Error('x'), { bas: '' })

const options: web.OptionsJson = { schema: User }
json(options)(request).then((body) => body.any.field)

json({ limit: (request) => request.headers.has('x') ? '5mb' : 5, empty: 'error', depth: 5, onProtoPoisoning: 'error' })
json({ verify: (request, response, bytes, encoding) => [request.headers, response, bytes.length, encoding.length] })
raw({ type: (request) => request.method === 'PUT', inflate: false, drainLimit: 0, timeout: 5000 })
urlencoded({ parse: (text, { req, signal }) => [text, req.url, signal.aborted] })
// Options that exclude each other: own-parser.ts has all of them, whose types are the same
// @ts-expect-error
json({ reviver: (_key, value) => value, onProtoPoisoning: 'error' })
json({ parse: (text, { charset, req, signal }) => [text, charset, req.url, signal.aborted] })
// @ts-expect-error
json({ parse: (text) => text, depth: 5 })
// @ts-expect-error
urlencoded({ qs: { comma: true } })
// @ts-expect-error
urlencoded({ depth: 5, parse: (text) => text })
json({ budget: createBudget({ bytes: '1mb', wait: 1000 }), minRate: '1kb', timeout: 5000 })
ndjson({ budget: createBudget({ bytes: 1 }), minRate: 1 })
// @ts-expect-error
json({ rawBody: true })
// @ts-expect-error
text()('text')
// @ts-expect-error
web.createParser({})

// A schema of any parser types its promise; a list of types may be readonly
const types = ['a/b', 'c/d'] as const
export const users: Array<Promise<{ name: string, age: number }>> =
  [raw, text, urlencoded].map((parser) => parser({ schema: User, type: types })(request))
// @ts-expect-error
export const numbers: Promise<number> = text()(request)
// @ts-expect-error
export const strange: Promise<{ name: number }> = urlencoded({ schema: User })(request)

// Forms; web-forms.mts has what they give, and multipart.ts all options, whose types are the same
const { multipart } = web
multipart({ contentDigest: 'require', budget: createBudget({ bytes: 1 }), minRate: 1, files: { a: {} } })
multipart({ detect: async (head: Uint8Array, { name }) => head.length > 4 ? name : undefined })
// @ts-expect-error
multipart({ store: 'disk' })
// @ts-expect-error
multipart({ files: { a: { store: 'disk' } } })
// @ts-expect-error
multipart({ buffered: true })
