// What `ndjson` takes, and gives.

import bodyParser, { createBudget, ndjson, type CollectedRecord, type Records } from 'fast-body-parser'
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

app.use(ndjson(), bodyParser.ndjson({}), alone({ limit: '1gb', record: '1mb', max: 1e6, onError: 'stop' }))
server.use(ndjson())
app.post('/', ndjson({ schema: z.object({ name: z.string() }) }), async (req, res) => {
  for await (const { name } of req.body) console.log(name.length, req.body.received / 2, req.body.count.toFixed())
  // @ts-expect-error
  req.body.count = 0
  res.end()
})
app.post('/', ndjson({ schema: z.object({ name: z.string() }), onError: 'collect' }), async (req, res) => {
  for await (const items of req.body.batches(500)) {
    for (const { line, value, error } of items) {
      console.log(line.toFixed(), value?.name.length, error?.status, error?.offset, error?.issues?.[0]?.message)
    }
  }
  // @ts-expect-error
  for await (const { name } of req.body) console.log(name)
  res.end()
})
ndjson({ strict: false, depth: 3, onProtoPoisoning: 'error', onConstructorPoisoning: 'remove', inflate: false })
ndjson({
  reviver: (key, value) => value,
  budget: createBudget({ bytes: 1 }),
  timeout: 5,
  minRate: 5,
  drainLimit: 5,
  buffered: true,
  type: 'application/*'
})
ndjson({ onError: 'collect', maxErrors: 10 })
web.ndjson({ onError: 'collect', maxErrors: Infinity })
// @ts-expect-error
ndjson({ onError: 'collect', maxErrors: '10' })
ndjson({ limit: (req) => Number(req.headers['x-limit']) })
ndjson(undefined)
// @ts-expect-error
ndjson({ verify () {} })
// @ts-expect-error
ndjson({ rawBody: true })
// @ts-expect-error
ndjson({ onError: 'skip' })
// @ts-expect-error
ndjson({ reviver: (key, value) => value, onProtoPoisoning: 'error' })

export const body: Promise<Records> = ndjson().read(req, res)
export const items: Promise<Records<CollectedRecord>> = ndjson({ onError: 'collect' }).read(req, res)
export async function loop () {
  for await (const record of web.ndjson({ schema: z.object({ name: z.string() }) })(request)) {
    console.log(record.name.length)
  }
  for await (const [first] of web.ndjson({ onError: 'collect' })(request).batches(2)) console.log(first?.error?.line)
  // @ts-expect-error
  web.ndjson({ budget: 1 })
}

ndjson({ contentDigest: 'require' })
// @ts-expect-error
ndjson({ contentDigest: 'require ' })
