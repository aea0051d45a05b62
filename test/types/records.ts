// What `ndjson` and `jsonArray` take, and give.

import bodyParser, {
  createBudget, jsonArray, ndjson, type CollectedItem, type CollectedRecord, type Records
} from 'fast-body-parser'
import alone from 'fast-body-parser/ndjson'
import web from 'fast-body-parser/web'
import type connect from 'connect'
import type express from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'

declare const app: express.Express
declare const server: connect.Server
declare const req: IncomingMessage
declare const res: ServerResponse
declare const request: Request

const schema = z.object({ name: z.string() })

app.use(ndjson(), bodyParser.ndjson(undefined), alone({ limit: '1gb', record: '1mb', max: 1e6, onError: 'stop' }))
app.use(jsonArray(), bodyParser.jsonArray({ limit: '2gb', record: '1mb', max: 1e6, path: '/data/items' }))
server.use(ndjson())
app.post('/', ndjson({ schema }), async (req, res) => {
  for await (const { name } of req.body) console.log(name.length, req.body.received / 2, req.body.count.toFixed())
  // @ts-expect-error
  req.body.count = 0
  res.end()
})
app.post('/', ndjson({ schema, onError: 'collect' }), async (req, res) => {
  for await (const items of req.body.batches(500)) {
    for (const { line, value, error } of items) {
      console.log(line.toFixed(), value?.name.length, error?.status, error?.offset, error?.issues?.[0]?.message)
    }
  }
  // @ts-expect-error
  for await (const { name } of req.body) console.log(name)
  res.end()
})
app.post('/', jsonArray({ schema }), async (req) => {
  for await (const { name } of req.body) console.log(name.length)
})
app.post('/', jsonArray({ schema, onError: 'collect', maxErrors: 5 }), async (req) => {
  for await (const items of req.body.batches(500)) {
    for (const { record, value } of items) console.log(record.toFixed(), value?.name.length)
  }
})

for (const parser of [ndjson, jsonArray] as const) {
  parser({ depth: 3, onProtoPoisoning: 'error', onConstructorPoisoning: 'remove', inflate: false })
  parser({ reviver: (key, value) => value, timeout: 5, minRate: 5, drainLimit: 5, buffered: true })
  parser({ budget: createBudget({ bytes: 1 }), type: 'application/*', contentDigest: 'require' })
  parser({ limit: (req) => Number(req.headers['x-limit']), onError: 'collect', maxErrors: 10 })
  // @ts-expect-error
  parser({ maxErrors: '10' })
  // @ts-expect-error
  parser({ verify () {} })
  // @ts-expect-error
  parser({ rawBody: true })
  // @ts-expect-error
  parser({ onError: 'skip' })
  // @ts-expect-error
  parser({ contentDigest: 'require ' })
}
ndjson({ strict: false })
// @ts-expect-error
jsonArray({ strict: false })
// @ts-expect-error
jsonArray({ path: ['a'] })

export const body: Promise<Records> = ndjson().read(req, res)
export const records: Promise<Records<CollectedRecord>> = ndjson({ onError: 'collect' }).read(req, res)
export const items: Promise<Records<CollectedItem>> = jsonArray({ onError: 'collect' }).read(req, res)
// web-forms.mts has what those of /web give
export async function loop () {
  for await (const record of web.ndjson({ schema })(request)) console.log(record.name.length)
  for await (const [first] of web.jsonArray({ onError: 'collect', maxErrors: Infinity })(request).batches(2)) {
    console.log(first?.error?.record, first?.error?.issues?.length)
  }
}
