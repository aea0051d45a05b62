import { Elysia } from 'elysia'
import { ROUTES, upload } from './upload.mjs'

const app = new Elysia()
for (const route of ROUTES) app.post(`/${route}`, ({ request }) => upload(route, request), { parse: 'none' })
app.listen({ hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port))
