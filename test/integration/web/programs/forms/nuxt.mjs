// Nuxt 3 and 4 are built on h3 1, whose events have a request of Node.js.

import { createServer } from 'node:http'
import { createApp, eventHandler, toNodeListener, toWebRequest } from 'h3-1'
import { upload } from './upload.mjs'

const app = createApp().use(eventHandler((event) => upload(toWebRequest(event))))
const server = createServer(toNodeListener(app))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
