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

export const first: Promise<{ name: string, age: number } | Uint8Array | undefined> =
  firstOf(json({ schema: User }), raw())(request)
export const records: Promise<string | undefined | web.Records> = firstOf(text(), firstOf(ndjson()))(request)
// @ts-expect-error
export const notBytes: Promise<string | undefined> = firstOf(text(), raw())(request)
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
urlencoded({ parse: (text, { req }) => [text, req.url] })
json({ reviver: (_key, value) => value, onProtoPoisoning: 'ignore' })
// @ts-expect-error
json({ reviver: (_key, value) => value, onProtoPoisoning: 'error' })
// @ts-expect-error
json({ reviver: (_key, value) => value, onConstructorPoisoning: 'remove' })
json({ parse: (text, { charset, reviver, req }) => [text, charset, reviver, req.url], reviver: (_key, value) => value })
// @ts-expect-error
json({ parse: (text) => text, depth: 5 })
// @ts-expect-error
json({ parse: (text) => text, onProtoPoisoning: 'error' })
// @ts-expect-error
json({ parse: (text) => text, onConstructorPoisoning: 'error' })
// @ts-expect-error
urlencoded({ qs: { comma: true } })
// @ts-expect-error
urlencoded({ extended: true, qs: { comma: true }, parse: (text) => text })
// @ts-expect-error
urlencoded({ depth: 5, parse: (text) => text })
json({ parse: (text, { charset, req, signal }) => [text, charset, req.url, signal.aborted] })
urlencoded({ parse: (text, { signal }) => [text, signal.aborted] })
// @ts-expect-error
urlencoded({ charsetSentinel: true, parse: (text) => text })
// @ts-expect-error
urlencoded({ interpretNumericEntities: true, parse: (text) => text })
json({ budget: createBudget({ bytes: '1mb', wait: 1000 }), minRate: '1kb', timeout: 5000 })
web.multipart({ budget: createBudget({ bytes: 1 }), minRate: 1 })
ndjson({ budget: createBudget({ bytes: 1 }), minRate: 1 })
// @ts-expect-error
json({ budget: {} })
// @ts-expect-error
json({ rawBody: true })
// @ts-expect-error
json({ cooperative: true })
// @ts-expect-error
text({ buffered: true })
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

// Forms: files by their store, fields by a schema
const { multipart } = web
export const inMemory: Promise<Uint8Array | undefined> =
  multipart({ files: { a: { max: 2, types: ['image/*'] } } })(request).then((form) => form?.files.a?.[0]?.bytes)
export const onDisk: Promise<string | undefined> = multipart({
  store: multipart.disk('uploads', { mode: 0o600, filename: ({ name }, { signal }) => name + signal.aborted })
})(request).then((form) => form?.files.a?.[0]?.path)
export const stored: Promise<number | undefined> = multipart({
  store: async (file, { request: { url }, fields }) =>
    (await file.peek(4)).length + url.length + Object.keys(fields).length
})(request).then((form) => form?.files.a?.[0]?.value)
export const checked: Promise<{ name: string, age: number } | undefined> =
  multipart({ schema: User })(request).then((form) => form?.fields)
export async function readStreams (): Promise<void> {
  for await (const part of multipart().parts(request)) {
    if (part.stream === undefined) console.log(part.field, part.value.length) // as docs/web.md has it
    else for await (const chunk of part.stream) console.log(part.name.length, chunk.length)
  }
}
export async function readParts (): Promise<number> {
  let length = 0
  for await (const part of multipart({ limit: '1gb' }).parts(request)) {
    if (part.name === undefined) length += part.value.length + part.bytes.length
    else for await (const chunk of part) length += chunk.length
  }
  return length
}
// Files by the names of the rules, each as its store, or that of the form, gives it
const byRule = multipart({
  files: {
    avatar: {
      max: 1,
      types: ['image/*'],
      filter: ({ name, type }, { request, fields }) => [name, type, request.url, fields]
    },
    scans: { store: multipart.disk('scans') },
    notes: { store: async (file) => (await file.peek(4)).length }
  },
  store: (file, { signal }) => file.name + signal.aborted
})
export async function readByRule (): Promise<[string | undefined, string | undefined, number | undefined]> {
  const { files } = await byRule(request) ?? {}
  // @ts-expect-error
  console.log(files?.other)
  // @ts-expect-error
  console.log(files?.avatar[0])
  return [files?.avatar?.[0]?.value, files?.scans?.[0]?.path, files?.notes?.[0]?.value]
}
export const others: Promise<string | undefined> = multipart({
  files: { a: {}, '*': { max: 2 } },
  store: multipart.disk('uploads')
})(request).then((form) => form?.files.a?.[0]?.path ?? form?.files.b?.[0]?.path)
export const noFiles: Promise<undefined> = multipart({ files: false })(request).then((form) => form?.files.a?.[0])
const widely: web.OptionsMultipart = { files: { a: {} } }
export const anyFile: Promise<number | undefined> = multipart(widely)(request).then((form) => form?.files.a?.[0]?.size)
export const both: Promise<[number, string] | undefined> = multipart({
  files: { a: { size: '1mb' } },
  schema: User
})(request).then((form) => form && [form.fields.age, form.files.a?.[0]?.name ?? ''])
// @ts-expect-error
multipart({ files: { a: { type: [] } } })
// @ts-expect-error
multipart({ files: { a: { store: 'disk' } } })
// @ts-expect-error
multipart({ store: 'disk' })
// @ts-expect-error
multipart({ limits: {} })
// @ts-expect-error
multipart({ buffered: true })
// @ts-expect-error
multipart({ type: 'multipart/mixed' })
multipart({ contentDigest: 'require', files: { a: {} } })
// @ts-expect-error
multipart({ contentDigest: false })
multipart({ detect: async (head: Uint8Array, { name }) => head.length > 4 ? name : undefined })
// @ts-expect-error
multipart({ detect: () => 5 })
