// The middlewares, in all the places where they are put.

import type theirs from 'body-parser'
import bodyParser, { json, raw, text, urlencoded, type Middleware } from 'fast-body-parser'
import type connect from 'connect'
import type express from 'express'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'

type Plain = (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void

const parsers = [json(), raw(), text(), urlencoded()]
export const plain: Plain[] = parsers
export const forExpress: express.RequestHandler[] = parsers
export const forConnect: connect.NextHandleFunction[] = parsers
export const back: Middleware[] = [...plain, ...forConnect]

declare const expressApp: express.Express
declare const router: express.Router
declare const connectApp: connect.Server

expressApp.use(json(), urlencoded({ extended: true }))
expressApp.use('/hooks', [raw({ type: '*/*' }), text()])
expressApp.post('/users', json({ verify: (req: express.Request, _res: express.Response) => req.ip }), (req, res) => {
  res.json(req.body)
})
router.post('/forms/:id', urlencoded(), (req, res) => { res.send(req.params.id.toUpperCase()) })
connectApp.use(json()).use('/text', text())

// A test may put a plain middleware in the place of any parser.
type Factories = typeof bodyParser
export const mocks: [
  ReturnType<Factories['json']>, ReturnType<Factories['raw']>, ReturnType<Factories['text']>,
  ReturnType<Factories['urlencoded']>
] = [plain[0], plain[1], plain[2], (_req, _res, next) => { next() }]
export const mocked: typeof theirs = bodyParser
export const mockedFactory: (options?: object) => ReturnType<Factories['json']> = () => (_req, _res, next) => { next() }
// @ts-expect-error a middleware takes no more than these three
export const noMiddleware: ReturnType<Factories['json']> =
  (_req: IncomingMessage, _res: ServerResponse, _next: () => void, _more: string) => {}
declare const anyOptions: any
export const reads: Array<(req: IncomingMessage, res: ServerResponse) => Promise<unknown>> =
  [
    json().read, raw({}).read, text({ limit: 1 }).read, urlencoded(anyOptions).read, json({ schema: anyOptions }).read,
    parsers[0]!.read
  ]

const parse: (req: IncomingMessage, res: ServerResponse) => Promise<void> = promisify(json())

createServer(async (req, res) => {
  await parse(req, res)
  text()(req, res, (err: { status: number } | undefined) => { res.end(err?.status) })
})

declare const request: IncomingMessage
declare const response: ServerResponse
// @ts-expect-error these are not of Node's kind
json()(new Request('http://localhost/'), response, () => {})
// @ts-expect-error
json()(request, new Response(), () => {})
// @ts-expect-error
createServer(json())
// @ts-expect-error
export const answers: (...args: Parameters<Plain>) => string = json()
