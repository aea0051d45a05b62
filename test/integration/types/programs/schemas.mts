// Schemas of arktype and valibot, which type what a parser gives; test/types/results.ts has each parser with those of
// zod. An ES module, as arktype has no other entry.

import { json, multipart, ndjson } from 'fast-body-parser'
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

// One call for each: a schema in a union of all would not be what users write.
const ofArktype = type({ name: 'string' })
isUser(json({ schema: ofArktype, limit: () => 5, rawBody: 'coded' }).read(req, res), true)
isUser(web.json({ schema: ofArktype })(request), true)
trim(web.ndjson({ schema: ofArktype })(request))
app.post('/', json({ schema: ofArktype }), (req, res) => { res.end(req.body.name.trim()) })
app.post('/', ndjson({ schema: ofArktype }), async (req) => { await trim(req.body) })
multipart({ schema: ofArktype })

const ofValibot = v.object({ name: v.string() })
isUser(json({ schema: ofValibot }).read(req, res), true)
isUser(web.json({ schema: ofValibot })(request), true)
trim(web.ndjson({ schema: ofValibot })(request))
multipart({ schema: ofValibot })

// @ts-expect-error
app.post('/', json({ schema: ofArktype }), (req, res) => { res.end(req.body.age) })
// @ts-expect-error
json({ schema: {} })
// @ts-expect-error
isUser(json().read(req, res), true)
