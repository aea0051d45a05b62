// What the promise of `read` is, and what Express knows of `req.body`.

import { createParser, json, raw, text, urlencoded } from 'fast-body-parser'
import type express from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'

declare const app: express.Express
declare const req: IncomingMessage
declare const res: ServerResponse

const schema = z.object({ name: z.string() })
type User = z.infer<typeof schema>

/** Compiles if both types are the same; `any` is like no other type. */
type IsAny<T> = 0 extends 1 & T ? true : false
type Same<A, B> = [A, B, IsAny<A>] extends [B, A, IsAny<B>] ? true : false
const is = <Expected>() => <Actual>(_promise: Promise<Actual>, _same: Same<Expected, Actual>): void => {}

is<any>()(json().read(req, res), true)
is<User>()(json({ schema }).read(req, res), true)
is<string | undefined>()(text({ limit: '1mb', rawBody: 'coded' }).read(req, res), true)
is<User>()(text({ schema }).read(req, res), true)
is<Buffer | undefined>()(raw().read(req, res), true)
is<User>()(raw({ schema }).read(req, res), true)
is<any>()(urlencoded({ extended: true }).read(req, res), true)
is<User>()(urlencoded({ schema, extended: true, qs: { comma: true } }).read(req, res), true)
is<number | undefined>()(
  createParser({ type: 'a/b', charset: 'utf-16', parse: async (text) => text.length }).read(req, res), true
)
is<boolean | undefined>()(
  createParser({ type: 'a/b', charset: false, parse: (bytes) => Buffer.isBuffer(bytes) }).read(req, res), true
)
is<User>()(createParser({ type: 'a/b', parse: (text) => text.length, schema }).read(req, res), true)
// @ts-expect-error
is<any>()(text().read(req, res), true)
// @ts-expect-error
is<string>()(createParser({ type: 'a/b', parse: (text) => text.length }).read(req, res), true)

// @ts-expect-error
json().read(new Request('http://localhost/'), res)

app.post('/', createParser({ type: 'a/b', parse: (text) => text, schema }), (req, res) => { res.end(req.body.name) })
// @ts-expect-error
app.post('/', urlencoded({ schema }), (req, res) => { res.end(req.body.age) })
app.post('/', text(), raw(), urlencoded(), (req, res) => { res.end(req.body.anything) })
