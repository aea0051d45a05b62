// Schemas of arktype and valibot, which type what each parser gives; test/types/results.ts has those of zod. An ES
// module, as arktype has no other entry.

import { createParser, json, multipart, ndjson, raw, text, urlencoded } from 'fast-body-parser'
import * as web from 'fast-body-parser/web'
import { type } from 'arktype'
import type express from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'

declare const app: express.Express
declare const req: IncomingMessage
declare const res: ServerResponse
declare const request: Request

interface User { name: string }

/** Compiles if a promise is one of a User; `any` is none. */
type IsUser<T> = [T, User, 0 extends 1 & T ? true : false] extends [User, T, false] ? true : false
function isUser<Actual> (_promise: Promise<Actual>, _same: IsUser<Actual>): void {}
const trim = async (users: AsyncIterable<User>): Promise<void> => { for await (const user of users) user.name.trim() }

const schemas = {
  arktype: type({ name: 'string' }),
  valibot: v.object({ name: v.string() })
}

// One call for each: a schema in a union of all would not be what users write.
isUser(json({ schema: schemas.arktype }).read(req, res), true)
isUser(json({ schema: schemas.arktype, limit: () => 5, rawBody: 'coded' }).read(req, res), true)
isUser(raw({ schema: schemas.arktype }).read(req, res), true)
isUser(text({ schema: schemas.arktype }).read(req, res), true)
isUser(urlencoded({ schema: schemas.arktype, extended: true, qs: { comma: true } }).read(req, res), true)
isUser(createParser({ type: 'a/b', parse: (text) => text.length, schema: schemas.arktype }).read(req, res), true)
isUser(web.json({ schema: schemas.arktype })(request), true)
isUser(web.raw({ schema: schemas.arktype })(request), true)
isUser(web.text({ schema: schemas.arktype })(request), true)
isUser(web.urlencoded({ schema: schemas.arktype })(request), true)
trim(web.ndjson({ schema: schemas.arktype })(request))
app.post('/', json({ schema: schemas.arktype }), (req, res) => { res.end(req.body.name.trim()) })
app.post('/', ndjson({ schema: schemas.arktype }), async (req) => { await trim(req.body) })
multipart({ schema: schemas.arktype })

isUser(json({ schema: schemas.valibot }).read(req, res), true)
isUser(createParser({ type: 'a/b', parse: (text) => text.length, schema: schemas.valibot }).read(req, res), true)
isUser(web.json({ schema: schemas.valibot })(request), true)
trim(web.ndjson({ schema: schemas.valibot })(request))
app.post('/', json({ schema: schemas.valibot }), (req, res) => { res.end(req.body.name.trim()) })
multipart({ schema: schemas.valibot })

// @ts-expect-error
app.post('/', json({ schema: schemas.arktype }), (req, res) => { res.end(req.body.age) })
// @ts-expect-error
json({ schema: {} })
// @ts-expect-error
json({ schema: schemas.arktype, strict: 'no' })
// @ts-expect-error
isUser(json().read(req, res), true)
