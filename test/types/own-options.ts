// What each option that body-parser does not have takes, and gives.

import bodyParser, {
  createParser, json, raw, text, urlencoded, problemDetails, refuseUnparsed, type ErrorHandler, type Middleware,
  type OptionsJson, type Parser, type StandardSchema
} from 'fast-body-parser'
import type connect from 'connect'
import type express from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'

declare const app: express.Express
declare const req: IncomingMessage
declare const res: ServerResponse

for (const parser of [json, raw, text, urlencoded] as const) {
  // limit
  parser({ limit: (req) => req.headers['x-plan'] === 'pro' ? '5mb' : 1024 })
  parser({ limit: (req: IncomingMessage) => 5, verify () {}, rawBody: 'coded' })
  parser({ limit: (req: express.Request) => req.get('x-plan') === 'pro' ? 5 : 1 })
  parser({ limit: 5 as undefined | number | (() => string) })
  // @ts-expect-error
  parser({ limit: () => true })
  // @ts-expect-error
  parser({ limit: async () => 5 })
  // @ts-expect-error
  parser({ limit: (req: string) => 5 })

  // verify
  parser({ verify: (_req, _res, buf, encoding, { signal }) => [buf.length, encoding, signal.aborted] })
  parser({
    async verify (_req: express.Request, _res, _buf, _encoding: string | null, { signal }) {
      await fetch('https://example.com', { signal })
    },
    rawBody: 'coded'
  })
  // @ts-expect-error a context, and no more
  parser({ verify: (_req, _res, _buf, _encoding, _context, sixth) => sixth })
  // @ts-expect-error
  parser({ verify: (_req, _res, _buf, _encoding, { abort }) => abort })

  // contentDigest
  parser({ contentDigest: 'check', limit: () => 5 })
  parser({ contentDigest: 'require' as 'check' | 'require' | undefined })
  // @ts-expect-error
  parser({ contentDigest: true })
  // @ts-expect-error
  parser({ contentDigest: 'sha-256' })

  // rawBody
  parser({ rawBody: 'coded' })
  parser({ rawBody: (req) => req.url === '/webhooks', buffered: true, inflate: false })
  parser({ rawBody: (req: express.Request) => req.originalUrl.startsWith('/webhooks/'), limit: () => 5 })
  // @ts-expect-error
  parser({ rawBody: async () => true })
  parser({ rawBody: 'coded', buffered: false, inflate: true, limit: '1mb' })
  parser({ rawBody: 'coded' as 'coded' | boolean | undefined })
  // @ts-expect-error
  parser({ rawBody: 'coded' as 'coded' | boolean, inflate: false })
  // @ts-expect-error
  parser({ rawBody: 'raw' })
  // @ts-expect-error
  parser({ rawBody: 'coded', buffered: true })
  // @ts-expect-error
  parser({ rawBody: 'coded', inflate: false })
}
createParser({ type: 'a/b', parse: (text) => text, limit: (req) => Number(req.headers['x-limit']) })
createParser({ type: 'a/b', charset: false, parse: (bytes) => bytes.length, rawBody: 'coded' })
createParser({
  type: 'a/b',
  charset: false,
  parse: (bytes) => bytes.length,
  verify: (_req, _res, _buf, encoding, { signal }) => [encoding === null, signal.aborted]
})

// read
export const body: Promise<any> = json().read(req, res)
export const bodies: Array<Promise<unknown>> = [
  raw(), text(), urlencoded(), createParser({ type: 'a/b', parse: (text) => text })
].map((parser) => parser.read(req, res))
export const parser: Parser = json()
export const middleware: Middleware = json()
// @ts-expect-error
json().read(req)
// @ts-expect-error
json().read(new Request('http://localhost/'), res)

// reviver
json({ reviver: (_key, value, context) => typeof value === 'number' ? BigInt(context?.source ?? value) : value })
json({ reviver: (_key: string, value: unknown, context?: { source?: string }) => context?.source ?? value })
json({
  reviver: (_key, value, { source } = {}) => source?.length ?? value,
  parse: (text, { reviver }) => JSON.parse(text, reviver)
})
// @ts-expect-error
json({ reviver: (_key, value, context) => context?.index })

// qs
urlencoded({
  extended: true,
  qs: { allowDots: true, allowPrototypes: false, comma: true, arrayLimit: 5, duplicates: 'last' }
})
urlencoded({
  extended: true,
  qs: { decoder: (text, _decode, charset, type) => type === 'key' ? text : charset },
  limit: () => 5
})
urlencoded({ qs: undefined })
// @ts-expect-error
urlencoded({ qs: { allowDots: true } })
// @ts-expect-error
urlencoded({ extended: false, qs: { allowDots: true } })
// @ts-expect-error
urlencoded({ extended: true, qs: { depth: 5 } })
// @ts-expect-error
urlencoded({ extended: true, qs: { comma: 1 } })
// @ts-expect-error
urlencoded({ extended: true, qs: {}, parse: (text: string) => text })
// @ts-expect-error
json({ qs: {} })

// empty
json({ empty: {} })
json({ empty: 'error', cooperative: true })
json({ empty: undefined, parse: (text) => text })
// @ts-expect-error
json({ empty: null })
// @ts-expect-error
json({ empty: 'undefined' })
// @ts-expect-error
json({ empty: { a: 1 } })
// @ts-expect-error
raw({ empty: {} })

// schema
declare const User: StandardSchema<{ name: string }, { name: string, age: number }>
app.post('/users', json({ schema: User, limit: '1mb' }), (req, res) => {
  const name: string = req.body.name
  const age: number = req.body.age
  // @ts-expect-error
  res.json({ name, age, role: req.body.role })
})
app.post('/users/:id', json({ schema: User }), refuseUnparsed(), (req, res) => {
  // @ts-expect-error
  const age: string = req.body.age
  res.send(req.params.id + age)
})
const options: OptionsJson = { schema: User, limit: 5 }
export const untyped: Promise<any> = json(options).read(req, res)
app.post('/any', json(options), (req, res) => { res.send(req.body.any.field) })
app.post('/anything', json({ schema: {} as StandardSchema }), (req, res) => { res.send(req.body.any.field) })
export const schemaOrNone: Promise<{ name: string }> = json({ schema: User as typeof User | undefined }).read(req, res)
export const usersForExpress: express.RequestHandler = json({ schema: User })
export const usersForConnect: connect.NextHandleFunction = json({ schema: User })
// @ts-expect-error
json({ schema: { parse: (body: unknown) => body } })
// @ts-expect-error
json({ schema: null })

// refuseUnparsed, problemDetails
app.use(
  json(), refuseUnparsed(), problemDetails(), bodyParser.problemDetails({ base: 'https://example.com/problems/' })
)
export const handler: ErrorHandler = problemDetails({ base: undefined })
export const errorHandler: express.ErrorRequestHandler = problemDetails()
// @ts-expect-error
refuseUnparsed({})
// @ts-expect-error
problemDetails({ base: 5 })
// @ts-expect-error
problemDetails({ type: 'about:blank' })
