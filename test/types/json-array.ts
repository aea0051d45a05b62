// What `jsonArray` takes, and gives.

import bodyParser, { createBudget, jsonArray, type CollectedItem, type Records } from 'fast-body-parser'
import web from 'fast-body-parser/web'
import type express from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'

declare const app: express.Express
declare const req: IncomingMessage
declare const res: ServerResponse
declare const request: Request

app.use(
  jsonArray(), bodyParser.jsonArray({ limit: '2gb', record: '1mb', max: 1e6, onError: 'stop', path: '/data/items' })
)
app.post('/', jsonArray({ schema: z.object({ name: z.string() }) }), async (req, res) => {
  for await (const { name } of req.body) console.log(name.length)
  res.end()
})
app.post('/', jsonArray({
  schema: z.object({ name: z.string() }),
  onError: 'collect',
  maxErrors: 5
}), async (req, res) => {
  for await (const items of req.body.batches(500)) {
    for (const { record, value, error } of items) {
      console.log(record.toFixed(), value?.name.length, error?.status, error?.offset)
    }
  }
  res.end()
})
jsonArray({
  depth: 3,
  onProtoPoisoning: 'error',
  inflate: false,
  budget: createBudget({ bytes: 1 }),
  timeout: 5,
  type: 'application/*'
})
jsonArray({ reviver: (key, value) => value, limit: (req) => Number(req.headers['x-limit']) })
// @ts-expect-error
jsonArray({ strict: false })
// @ts-expect-error
jsonArray({ path: ['a'] })
// @ts-expect-error
jsonArray({ reviver: (key, value) => value, onProtoPoisoning: 'error' })

export const body: Promise<Records> = jsonArray().read(req, res)
export const items: Promise<Records<CollectedItem>> = jsonArray({ onError: 'collect' }).read(req, res)
export async function loop () {
  for await (const item of web.jsonArray({ path: '/a', schema: z.object({ name: z.string() }) })(request)) {
    console.log(item.name.length)
  }
  for await (const [first] of web.jsonArray({ onError: 'collect' })(request).batches(2)) {
    console.log(first?.error?.record, first?.error?.issues?.length)
  }
}
