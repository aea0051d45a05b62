import { Elysia } from 'elysia'
import { upload } from './upload.mjs'

const app = new Elysia().post('/upload', ({ request }) => upload(request), { parse: 'none' })
app.listen({ hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port))
