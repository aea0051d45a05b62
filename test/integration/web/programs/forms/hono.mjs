import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { ROUTES, upload } from './upload.mjs'

const app = new Hono()
for (const route of ROUTES) app.post(`/${route}`, (c) => upload(route, c.req.raw, () => c.req.parseBody()))

const at = { fetch: app.fetch, hostname: '127.0.0.1', port: 0 }
const { Bun, Deno } = globalThis
if (Bun) console.log(Bun.serve(at).port)
else if (Deno) Deno.serve({ ...at, onListen: ({ port }) => console.log(port) }, app.fetch)
else serve(at, ({ port }) => console.log(port))
