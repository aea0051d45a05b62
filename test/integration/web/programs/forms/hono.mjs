import { Hono } from 'hono'
import { listen } from '../listen.mjs'
import { upload } from './upload.mjs'

listen(new Hono().post('/upload', (c) => upload(c.req.raw, () => c.req.parseBody())).fetch)
