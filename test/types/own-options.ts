// What each option that body-parser does not have takes, and gives.

import bodyParser, {
  createParser, json, raw, text, urlencoded, problemDetails, refuseUnparsed, type ErrorHandler, type OptionsJson,
  type StandardSchema
} from 'fast-body-parser'
import type connect from 'connect'
import type express from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'

declare const app: express.Express
declare const req: IncomingMessage
declare const res: ServerResponse

const types = ['a/b', 'c/d'] as const
for (const parser of [json, raw, text, urlencoded] as const) {
  // limit
  parser({ limit: (req) => req.headers['x-plan'] === 'pro' ? '5mb' : 1024 })
  parser({ limit: (req: express.Request) => req.get('x-plan') === 'pro' ? 5 : 1, verify () {}, rawBody: 'coded' })
  parser({ limit: 5 as undefined | number | (() => string) })
  // @ts-expect-error
  parser({ limit: async () => 5 })
  // @ts-expect-error
  parser({ limit: (req: string) => 5 })

  // type: a list that is readonly
  parser({ type: types, rawBody: 'coded', limit: () => 5 })
  parser({ type: (req: express.Request) => req.is('a/b') })

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
  parser({ contentDigest: 'require' as 'check' | 'require' | undefined, limit: () => 5 })
  // @ts-expect-error
  parser({ contentDigest: true })

  // rawBody
  parser({ rawBody: (req) => req.url === '/webhooks', buffered: true, inflate: false })
  parser({ rawBody: (req: express.Request) => req.originalUrl.startsWith('/webhooks/'), limit: () => 5 })
  parser({ rawBody: 'coded' as 'coded' | boolean | undefined, buffered: false, inflate: true, limit: '1mb' })
  // @ts-expect-error
  parser({ rawBody: async () => true })
  // @ts-expect-error
  parser({ rawBody: 'coded' as 'coded' | boolean, inflate: false })
  // @ts-expect-error
  parser({ rawBody: 'coded', buffered: true })
}

// reviver
json({ reviver: (_key, value, context) => typeof value === 'number' ? BigInt(context?.source ?? value) : value })
json({ reviver: (_key: string, value: unknown, context?: { source?: string }) => context?.source ?? value })
// @ts-expect-error
json({ reviver: (_key, value, context) => context?.index })

// qs
urlencoded({
  extended: true,
  qs: {
    allowDots: true,
    allowPrototypes: false,
    comma: true,
    arrayLimit: 5,
    duplicates: 'last',
    decoder: (text, _decode, charset, type) => type === 'key' ? text : charset
  },
  limit: () => 5
})
urlencoded({ qs: undefined })
// @ts-expect-error
urlencoded({ extended: false, qs: { allowDots: true } })
// @ts-expect-error
urlencoded({ extended: true, qs: { comma: 1 } })

// empty
json({ empty: {}, parse: (text) => text })
json({ empty: 'error', cooperative: true })
// @ts-expect-error
json({ empty: null })
// @ts-expect-error
json({ empty: { a: 1 } })

// schema
declare const User: StandardSchema<{ name: string }, { name: string, age: number }>
app.post('/users/:id', json({ schema: User, limit: '1mb' }), refuseUnparsed(), (req, res) => {
  const name: string = req.body.name
  const age: number = req.body.age
  // @ts-expect-error
  res.json({ name, age, id: req.params.id, role: req.body.role })
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

// A parser of the app's own takes the same
createParser({ type: types, parse: (text) => text, limit: (req: express.Request) => Number(req.get('x-limit')) })
createParser({
  type: 'a/b',
  charset: false,
  parse: (bytes) => bytes.length,
  rawBody: 'coded',
  verify: (_req, _res, _buf, encoding, { signal }) => [encoding === null, signal.aborted]
})
