// Nuxt 3 and 4 are built on h3 1, whose events have a request of Node.js.

import { createServer } from 'node:http'
import { createApp, createRouter, eventHandler, toNodeListener, toWebRequest } from 'h3-1'
import { ROUTES, upload } from './upload.mjs'

const router = createRouter()
for (const route of ROUTES) router.post(`/${route}`, eventHandler((event) => upload(route, toWebRequest(event))))

const server = createServer(toNodeListener(createApp().use(router)))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
