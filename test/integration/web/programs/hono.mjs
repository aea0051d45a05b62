import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { answer } from './answer.mjs'

const app = new Hono()
app.all('*', (context) => answer(context.req.raw))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port))
